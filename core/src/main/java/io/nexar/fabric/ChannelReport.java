package io.nexar.fabric;

import io.nexar.observe.CallReport;
import io.nexar.observe.QueueReport;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * What waits in a channel, for people.
 *
 * @param waits the oldest wait for a message and the oldest send that are not over
 */
public record ChannelReport(QueueReport queues, List<CallReport> waits) {
    public ChannelReport {
        waits = List.copyOf(waits);
    }

    static ChannelReport of(long nowNanos, Mailbox messages, List<PeerPort> ports) {
        Collector collector = new Collector(nowNanos);
        messages.report(collector);
        ports.forEach(port -> port.report(collector));
        return collector.report();
    }

    /** Looks at the parts of one channel, with the progress lock held. */
    static final class Collector {
        private final long nowNanos;
        private int posted;
        private int unexpected;
        private long unexpectedBytes;
        private int unsent;
        private long unsentBytes;
        private @Nullable MessageWait oldestWait;
        private @Nullable Arrival flowing;
        private @Nullable SendOperation oldestSend;

        Collector(long nowNanos) {
            this.nowNanos = nowNanos;
        }

        void addPosted(MessageWait wait) {
            posted++;
            noteWait(wait, null);
        }

        /** A message whose bytes flow into a receive that waits for them. */
        void addFlowing(Arrival message, ReceiveOperation receive) {
            noteWait(receive, message);
        }

        void addUnexpected(Arrival message) {
            unexpected++;
            unexpectedBytes += message.bytes;
        }

        void addUnsent(SendOperation send) {
            unsent++;
            unsentBytes += send.bytes - send.sentBytes;
            if (oldestSend == null || send.begunNanos - oldestSend.begunNanos < 0) {
                oldestSend = send;
            }
        }

        ChannelReport report() {
            List<CallReport> waits = new ArrayList<>();
            if (oldestWait != null) {
                waits.add(describe(oldestWait));
            }
            if (oldestSend != null) {
                waits.add(describe(oldestSend));
            }
            return new ChannelReport(
                    new QueueReport(posted, unexpected, unexpectedBytes, unsent, unsentBytes),
                    waits);
        }

        private void noteWait(MessageWait wait, @Nullable Arrival message) {
            if (oldestWait == null || wait.begunNanos - oldestWait.begunNanos < 0) {
                oldestWait = wait;
                flowing = message;
            }
        }

        private CallReport describe(MessageWait wait) {
            String tag = wait.tag == MessageWait.ANY ? "any tag" : "tag " + wait.tag;
            Arrival message = flowing;
            if (message != null) {
                String come =
                        "%d of %d bytes have come".formatted(message.arrivedBytes(), message.bytes);
                return report(wait.operation(), tag + ", " + come, wait.begunNanos, message.source);
            }
            return report(wait.operation(), tag, wait.begunNanos, wait.source);
        }

        private CallReport describe(SendOperation send) {
            return report(
                    "send",
                    "%d bytes, tag %d".formatted(send.bytes, send.tag),
                    send.begunNanos,
                    send.dest);
        }

        /** The peer may be any; then nobody in particular is waited for. */
        private CallReport report(String operation, String details, long sinceNanos, int peer) {
            List<Integer> waitingFor = peer == MessageWait.ANY ? List.of() : List.of(peer);
            return new CallReport(
                    operation,
                    CallReport.NO_SEQUENCE,
                    details,
                    Math.max(0, nowNanos - sinceNanos),
                    waitingFor,
                    waitingFor.size(),
                    "");
        }
    }
}
