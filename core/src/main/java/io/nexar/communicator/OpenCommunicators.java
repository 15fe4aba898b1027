package io.nexar.communicator;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The communicators that are open on one rank: what concerns all of them. Guarded by the rank's
 * progress lock.
 */
public final class OpenCommunicators {
    private final Set<CommunicatorCore> open = new LinkedHashSet<>();
    private @Nullable RuntimeException endReason;

    void add(CommunicatorCore core) {
        open.add(core);
    }

    void remove(CommunicatorCore core) {
        open.remove(core);
    }

    /** Why nothing can start on this rank any more; null while it can. */
    @Nullable RuntimeException endReason() {
        return endReason;
    }

    /** How many there are. */
    public int count() {
        return open.size();
    }

    /** Whether nothing runs: no collective, no message on its way. */
    public boolean areIdle() {
        return open.stream().allMatch(CommunicatorCore::isIdle);
    }

    /** What runs, for people: one entry a communicator that is not idle. */
    public List<String> running() {
        return open.stream()
                .filter(core -> !core.isIdle())
                .map(CommunicatorCore::describeRunning)
                .toList();
    }

    /**
     * Ends everything that runs, and whatever is tried from now on, with this failure; the first
     * one stays. The other ranks are not told.
     */
    public void end(RuntimeException failure) {
        if (endReason == null) {
            endReason = failure;
            List.copyOf(open).forEach(core -> core.end(failure));
        }
    }

    /** Frees all. */
    public void close() {
        List.copyOf(open).forEach(CommunicatorCore::close);
    }
}
