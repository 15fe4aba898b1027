package io.nexar.communicator;

import io.nexar.wire.CallNote;
import io.nexar.wire.CallNote.State;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** What the other ranks of a communicator are in, by their own words, in a sentence. */
final class Peers {
    /** Ranks told of one by one; a report is read by people. */
    private static final int NAMED_MAX = 8;

    private final CommunicatorCore core;
    private final long sinceNanos;

    /**
     * @param sinceNanos answers from before do not count
     */
    Peers(CommunicatorCore core, long sinceNanos) {
        this.core = core;
        this.sinceNanos = sinceNanos;
    }

    /** Where the others are, seen from a call: those first that have not come to it. */
    String inCall(long sequence) {
        List<String> parts = new ArrayList<>();
        addEach(parts, peer -> isAbsent(peer, sequence), this::one);
        addList(parts, peer -> isThere(peer, sequence), "in it as well: ");
        addList(parts, peer -> isPast(peer, sequence), "past it: ");
        addList(
                parts,
                peer -> core.engine().waits().heard(peer, sinceNanos) == null,
                "no answer from ");
        return String.join("; ", parts);
    }

    /** Where all others are. */
    String all() {
        List<String> parts = new ArrayList<>();
        addEach(parts, peer -> true, this::one);
        return String.join("; ", parts);
    }

    /** Where one rank is. */
    String one(int peer) {
        CallNote note = core.engine().waits().heard(peer, sinceNanos);
        if (peer == core.rank()) {
            return "rank " + peer + " is this rank itself";
        }
        if (note == null) {
            return "no answer from rank " + peer;
        }
        return note.call() == null
                ? "rank %d is in no collective, its next is #%s"
                        .formatted(peer, Long.toUnsignedString(note.sequence()))
                : "rank %d is in %s #%s for %s"
                        .formatted(
                                peer,
                                note.call().operation(),
                                Long.toUnsignedString(note.sequence()),
                                spell(note.forNanos()));
    }

    /** Whole seconds: what is told is coarse anyway. */
    static String spell(long nanos) {
        Duration duration = Duration.ofNanos(nanos);
        return duration.toMinutes() < 2
                ? duration.toSeconds() + " s"
                : duration.toMinutes() + " min " + duration.toSecondsPart() + " s";
    }

    private boolean isAbsent(int peer, long sequence) {
        CallNote note = core.engine().waits().heard(peer, sinceNanos);
        return note != null && (note.sequence() - sequence < 0 || isNext(note, sequence));
    }

    private boolean isThere(int peer, long sequence) {
        CallNote note = core.engine().waits().heard(peer, sinceNanos);
        return note != null && note.sequence() == sequence && !isNext(note, sequence);
    }

    private boolean isPast(int peer, long sequence) {
        CallNote note = core.engine().waits().heard(peer, sinceNanos);
        return note != null && note.sequence() - sequence > 0;
    }

    private static boolean isNext(CallNote note, long sequence) {
        return note.state() == State.IDLE && note.sequence() == sequence;
    }

    private IntStream peers(IntPredicate wanted) {
        return IntStream.range(0, core.size()).filter(peer -> peer != core.rank()).filter(wanted);
    }

    private void addEach(List<String> parts, IntPredicate wanted, IntFunction<String> spelling) {
        peers(wanted).limit(NAMED_MAX).mapToObj(spelling).forEach(parts::add);
        long more = peers(wanted).count() - NAMED_MAX;
        if (more > 0) {
            parts.add("and " + more + " more");
        }
    }

    private void addList(List<String> parts, IntPredicate wanted, String title) {
        long count = peers(wanted).count();
        if (count > 0) {
            String ranks =
                    peers(wanted)
                            .limit(NAMED_MAX)
                            .mapToObj(String::valueOf)
                            .collect(Collectors.joining(", "));
            String more = count > NAMED_MAX ? " and %d more".formatted(count - NAMED_MAX) : "";
            parts.add(title + (count == 1 ? "rank " : "ranks ") + ranks + more);
        }
    }
}
