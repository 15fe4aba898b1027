package io.nexar.communicator;

import io.nexar.MemberId;
import io.nexar.MismatchException;
import io.nexar.observe.CommunicatorReport;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * The communicators that are open on one rank: what concerns all of them. Guarded by the rank's
 * progress lock.
 */
public final class OpenCommunicators {
    private final Set<CommunicatorCore> open = new LinkedHashSet<>();
    private @Nullable RuntimeException endReason;
    private boolean isEnded;

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

    /** The members whose part is missing in what runs, as far as they are known here. */
    public Set<MemberId> awaited() {
        Set<MemberId> awaited = new LinkedHashSet<>();
        open.forEach(core -> awaited.addAll(core.awaited()));
        return awaited;
    }

    /** Lets nothing start any more: it ends with this failure. What runs goes on. */
    public void refuse(RuntimeException failure) {
        if (endReason == null) {
            endReason = failure;
        }
    }

    /** What the first of them are in, for people, the oldest communicator first. */
    public List<CommunicatorReport> reports(int communicatorsMax) {
        return open.stream().limit(communicatorsMax).map(CoreReport::of).toList();
    }

    /**
     * Ends everything that runs, and whatever is tried from now on, with this failure; the first
     * one stays. The other ranks are not told.
     */
    public void end(RuntimeException failure) {
        if (!isEnded) {
            isEnded = true;
            endReason = failure;
            List.copyOf(open).forEach(core -> core.end(failure));
        }
    }

    /** The first mismatch that no call of this rank has ended with; null if there is none. */
    public @Nullable MismatchException untoldMismatch() {
        return open.stream()
                .map(CommunicatorCore::untoldMismatch)
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    /** Frees all. Whoever wants to know of an untold mismatch has asked before. */
    public void close() {
        for (CommunicatorCore core : List.copyOf(open)) {
            core.free();
        }
    }
}
