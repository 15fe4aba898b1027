package io.nexar.transport.tcp;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** All links of an endpoint as its thread sees them. */
final class LinkWatches {
    /** A link without traffic for so long is watched again; until then its callers poll. */
    private static final long QUIET_NANOS = 1_000_000;

    /** What a peer that is polled needs to hear of the close, many times over. */
    private static final long PARTING_NANOS_MAX = 300_000_000;

    private static final int SCRATCH_BYTES = 64 * 1024;

    private final SelectorThread thread;
    private final Runnable wakeUp;
    private final Set<LinkWatch> links = ConcurrentHashMap.newKeySet();
    private final Set<LinkWatch> disarmed = new HashSet<>();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(SCRATCH_BYTES);
    private final long lookNanos;
    private boolean isTicking;
    private boolean isLooking;
    private boolean isEnding;
    private volatile boolean hasSleeper;
    private volatile boolean isAnyDisarmed;

    /**
     * @param lookNanos how often links are looked at for silence
     */
    LinkWatches(SelectorThread thread, Runnable wakeUp, long lookNanos) {
        this.thread = thread;
        this.lookNanos = lookNanos;
        this.wakeUp = wakeUp;
    }

    boolean execute(Runnable task) {
        return thread.execute(task);
    }

    void wakeUp() {
        wakeUp.run();
    }

    Set<LinkWatch> all() {
        return links;
    }

    /** Whether callers say when they go to sleep, so that nobody has to guess. */
    boolean hasSleeper() {
        return hasSleeper;
    }

    /** A caller goes to sleep: from now on its links are watched. Any thread. */
    void armAll() {
        hasSleeper = true;
        if (isAnyDisarmed) {
            thread.execute(() -> armDisarmed(false));
        }
    }

    // ---- the endpoint's thread ----

    void add(LinkWatch link) {
        links.add(link);
        lookSoon();
    }

    private void lookSoon() {
        if (!isLooking && !links.isEmpty()) {
            isLooking = true;
            thread.schedule(lookNanos, this::look);
        }
    }

    private void look() {
        isLooking = false;
        links.forEach(link -> link.watched().lookForSilence());
        lookSoon();
    }

    void remove(LinkWatch link) {
        links.remove(link);
        disarmed.remove(link);
        if (isEnding && links.isEmpty()) {
            thread.end();
        }
    }

    /** Ends the thread once all links have parted from their peers, or time is up. */
    void endWhenDone() {
        isEnding = true;
        thread.schedule(
                PARTING_NANOS_MAX,
                () -> {
                    List.copyOf(links).forEach(LinkWatch::closeNow);
                    thread.end();
                });
        if (links.isEmpty()) {
            thread.end();
        }
    }

    void schedule(long delayNanos, Runnable task) {
        thread.schedule(delayNanos, task);
    }

    ByteBuffer scratch() {
        return scratch;
    }

    void noteDisarmed(LinkWatch link) {
        disarmed.add(link);
        isAnyDisarmed = true;
        tickSoon();
    }

    private void tickSoon() {
        if (!isTicking) {
            isTicking = true;
            thread.schedule(QUIET_NANOS, this::tick);
        }
    }

    private void tick() {
        isTicking = false;
        armDisarmed(true);
        if (!disarmed.isEmpty()) {
            tickSoon();
        }
    }

    private void armDisarmed(boolean onlyQuiet) {
        disarmed.removeIf(link -> {
            boolean isDue = !onlyQuiet || link.isQuiet();
            if (isDue) {
                link.arm();
            }
            return isDue;
        });
        isAnyDisarmed = !disarmed.isEmpty();
    }
}
