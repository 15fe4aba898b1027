package io.nexar.fabric;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.function.Predicate;

/**
 * Brings messages and receives of one channel together. Both wait in the order in which they came;
 * a message goes to the first receive that matches it, and the other way round, so that messages of
 * one pair and tag are received in the order sent. How many messages can wait is bounded by their
 * senders' credit. Guarded by the progress lock.
 */
final class Matcher {
    private final ArrayDeque<ReceiveOperation> posted = new ArrayDeque<>();
    private final ArrayDeque<Arrival> unexpected = new ArrayDeque<>();

    Collection<ReceiveOperation> posted() {
        return Collections.unmodifiableCollection(posted);
    }

    /** Gives the receive its message if that is here; else it waits. */
    void post(ReceiveOperation receive) {
        Arrival message = takeFirst(unexpected, receive::matches);
        if (message == null) {
            posted.add(receive);
        } else {
            message.bind(receive);
        }
    }

    /** Gives the message to the receive that waits for it; else it waits. */
    void arrive(Arrival message) {
        ReceiveOperation receive = takeFirst(posted, waiting -> waiting.matches(message));
        if (receive == null) {
            message.hold();
            unexpected.add(message);
        } else {
            message.bind(receive);
        }
    }

    /** Lets a receive wait again, ahead of those that came later: its message was withdrawn. */
    void postAgain(ReceiveOperation receive) {
        Arrival message = takeFirst(unexpected, receive::matches);
        if (message == null) {
            posted.addFirst(receive);
        } else {
            message.bind(receive);
        }
    }

    /** Takes back a receive; true if it was still waiting for a message. */
    boolean remove(ReceiveOperation receive) {
        return posted.remove(receive);
    }

    /** Puts a message back to the front: its receive gave up. */
    void giveBack(Arrival message) {
        ReceiveOperation receive = takeFirst(posted, waiting -> waiting.matches(message));
        if (receive == null) {
            unexpected.addFirst(message);
        } else {
            message.bind(receive);
        }
    }

    /** Takes out an announced message that nobody has asked for; null if there is none. */
    @Nullable Arrival withdraw(int source, long number) {
        return takeFirst(
                unexpected,
                message ->
                        message.source == source
                                && message.number == number
                                && !message.isGranted());
    }

    /** Ends the receives that the failure concerns. */
    void failReceives(Predicate<ReceiveOperation> concerned, RuntimeException failure) {
        List<ReceiveOperation> failed = posted.stream().filter(concerned).toList();
        posted.removeAll(failed);
        failed.forEach(receive -> receive.fail(failure));
    }

    /** Drops the messages of a peer that can't send their bytes any more. */
    void dropIncomplete(int source) {
        unexpected.removeIf(message -> message.source == source && !message.isComplete());
    }

    /** Ends everything: the channel closes. */
    void failAll(RuntimeException failure) {
        List<ReceiveOperation> all = new ArrayList<>(posted);
        posted.clear();
        unexpected.clear();
        all.forEach(receive -> receive.fail(failure));
    }

    void report(ChannelReport.Collector collector) {
        posted.forEach(collector::addPosted);
        unexpected.forEach(collector::addUnexpected);
    }

    private static <T> @Nullable T takeFirst(ArrayDeque<T> queue, Predicate<T> wanted) {
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
