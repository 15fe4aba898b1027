package io.nexar.fabric;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Brings messages and those who wait for them together, in one channel. Both wait in the order in
 * which they came; a message goes to the first that matches it, and the other way round, so that
 * messages of one pair and tag are received in the order sent. Who only probes is told of a message
 * that nobody took. How many messages can wait is bounded by their senders' credit. Guarded by the
 * progress lock.
 */
final class Matcher {
    private final ArrayDeque<MessageWait> posted = new ArrayDeque<>();
    private final ArrayDeque<ProbeOperation> probes = new ArrayDeque<>();
    private final ArrayDeque<Arrival> unexpected = new ArrayDeque<>();

    /** Taken out of matching before their bytes came, and not received yet. */
    private final List<Arrival> claimed = new ArrayList<>();

    /** Those who wait for a message, in the order in which they came; the probing ones last. */
    List<MessageWait> waits() {
        List<MessageWait> all = new ArrayList<>(posted);
        all.addAll(probes);
        return all;
    }

    boolean isAwaited() {
        return !posted.isEmpty() || !probes.isEmpty();
    }

    /** Gives it its message if that is here; else it waits. */
    void post(MessageWait wait) {
        if (wait instanceof ProbeOperation probe && !probe.takes()) {
            if (!tell(probe)) {
                probes.add(probe);
            }
            return;
        }
        Arrival message = takeFirst(unexpected, wait::matches);
        if (message == null) {
            posted.add(wait);
        } else {
            meet(wait, message);
        }
    }

    /** Gives it its message if that is here; else nothing happens. */
    boolean tryPost(ProbeOperation probe) {
        if (!probe.takes()) {
            return tell(probe);
        }
        Arrival message = takeFirst(unexpected, probe::matches);
        if (message != null) {
            meet(probe, message);
        }
        return message != null;
    }

    /** Gives the message to whoever waits for it; else it waits. */
    void arrive(Arrival message) {
        MessageWait wait = takeFirst(posted, waiting -> waiting.matches(message));
        if (wait == null) {
            message.hold();
            unexpected.add(message);
            tellProbes(message);
        } else {
            meet(wait, message);
        }
    }

    /** Who would get a message from there with that tag; null: nobody. */
    @Nullable MessageWait first(int source, int tag) {
        for (MessageWait wait : posted) {
            if (wait.matches(source, tag)) {
                return wait;
            }
        }
        return null;
    }

    /** Lets a receive wait again, ahead of those that came later: its message was withdrawn. */
    void postAgain(ReceiveOperation receive) {
        Arrival message = takeFirst(unexpected, receive::matches);
        if (message == null) {
            posted.addFirst(receive);
        } else {
            meet(receive, message);
        }
    }

    /** Takes back who waits; true if no message had come. */
    boolean remove(MessageWait wait) {
        if (wait instanceof ReceiveOperation receive) {
            receive.part();
        }
        return posted.remove(wait) || (wait instanceof ProbeOperation && probes.remove(wait));
    }

    /**
     * Puts a message back: its receive gave up. One that was taken out of matching stays with who
     * took it.
     */
    void giveBack(Arrival message) {
        if (message.isClaimed()) {
            claimed.add(message);
            return;
        }
        MessageWait wait = takeFirst(posted, waiting -> waiting.matches(message));
        if (wait == null) {
            unexpected.addFirst(message);
            tellProbes(message);
        } else {
            meet(wait, message);
        }
    }

    /** Receives a message that was taken out of matching. */
    void receive(Arrival message, ReceiveOperation receive) {
        claimed.remove(message);
        message.bind(receive);
    }

    /** Takes out a message that its sender has withdrawn; null if it flows, or is not here. */
    @Nullable Arrival withdraw(int source, long number) {
        Predicate<Arrival> isIt = message -> message.source == source && message.number == number;
        Arrival message = takeFirst(unexpected, isIt);
        return message != null ? message : takeFirst(claimed, isIt);
    }

    /** Ends those who wait and whom the failure concerns. */
    void failWaits(Predicate<MessageWait> concerned, RuntimeException failure) {
        List<MessageWait> failed = waits().stream().filter(concerned).toList();
        posted.removeIf(concerned);
        probes.removeIf(concerned);
        failed.forEach(wait -> wait.fail(failure));
    }

    /** Drops the messages of a peer that can't send their bytes any more. */
    void dropIncomplete(int source, RuntimeException failure) {
        Predicate<Arrival> isCut = message -> message.source == source && !message.isComplete();
        unexpected.removeIf(isCut);
        claimed.stream().filter(isCut).forEach(message -> message.fail(failure));
        claimed.removeIf(isCut);
    }

    /** Ends everything: the channel closes. */
    void failAll(RuntimeException failure) {
        unexpected.clear();
        claimed.forEach(message -> message.fail(failure));
        claimed.clear();
        failWaits(all -> true, failure);
    }

    void report(ChannelReport.Collector collector) {
        posted.forEach(collector::addPosted);
        probes.forEach(collector::addPosted);
        unexpected.forEach(collector::addUnexpected);
    }

    private void meet(MessageWait wait, Arrival message) {
        wait.meet(message);
        if (message.isClaimed() && !message.isComplete()) {
            claimed.add(message);
        }
    }

    private boolean tell(ProbeOperation probe) {
        for (Arrival message : unexpected) {
            if (probe.matches(message)) {
                probe.meet(message);
                return true;
            }
        }
        return false;
    }

    private void tellProbes(Arrival message) {
        if (probes.isEmpty()) {
            return;
        }
        List<ProbeOperation> told =
                probes.stream().filter(probe -> probe.matches(message)).toList();
        probes.removeAll(told);
        told.forEach(probe -> probe.meet(message));
    }

    /** The first of a queue is most often the one; an iterator is only made beyond it. */
    private static <T> @Nullable T takeFirst(ArrayDeque<T> queue, Predicate<T> wanted) {
        T first = queue.peekFirst();
        if (first == null || wanted.test(first)) {
            return queue.pollFirst();
        }
        return takeFirst((Iterable<T>) queue, wanted);
    }

    private static <T> @Nullable T takeFirst(Iterable<T> queue, Predicate<T> wanted) {
        for (Iterator<T> all = queue.iterator(); all.hasNext(); ) {
            T candidate = all.next();
            if (wanted.test(candidate)) {
                all.remove();
                return candidate;
            }
        }
        return null;
    }
}
