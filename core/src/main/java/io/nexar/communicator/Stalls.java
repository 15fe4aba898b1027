package io.nexar.communicator;

import io.nexar.CallDescription;
import io.nexar.Communicator;
import io.nexar.collective.CollectiveEngine;
import io.nexar.fabric.Channel;
import io.nexar.fabric.MessageWait;
import io.nexar.fabric.Waiting;

import java.util.List;
import java.util.function.Consumer;

/**
 * Says once of each long wait on a communicator who has not come, and what each rank is in. When a
 * wait has become long enough, all ranks are asked what they are in; a moment later it is told with
 * what they have answered. With the progress lock held.
 */
final class Stalls implements Waiting {
    /** Between asking and telling: longer than any answer of a rank that is there. */
    private static final long ANSWER_NANOS = 500_000_000;

    private final CommunicatorCore core;
    private final Consumer<String> log;
    private final long afterNanos;
    private boolean isCallTold;
    private long toldSequence;
    private boolean hasAsked;
    private long askedNanos;

    /**
     * @param log takes a sentence; must not block
     */
    Stalls(CommunicatorCore core, Consumer<String> log) {
        this.core = core;
        this.log = log;
        this.afterNanos = core.settings().stallReportAfter().toNanos();
    }

    @Override
    public boolean isWaiting() {
        return !engine().isIdle() || channel().messages().isAwaited();
    }

    @Override
    public boolean sample(long nowNanos) {
        boolean hasWorked = engine().sample(nowNanos);
        List<MessageWait> receives = overdue(nowNanos);
        boolean isCallDue = isCallDue();
        if (!isCallDue && receives.isEmpty()) {
            hasAsked = false;
            return hasWorked;
        }
        if (!hasAsked) {
            hasAsked = true;
            askedNanos = nowNanos;
            engine().waits().askAll();
            return true;
        }
        if (nowNanos - askedNanos >= ANSWER_NANOS) {
            hasAsked = false;
            if (isCallDue) {
                tellCall();
            }
            if (!receives.isEmpty()) {
                tellReceives(receives, nowNanos);
            }
        }
        return hasWorked;
    }

    /** A call that moves again, and then waits again, waits anew. */
    private boolean isCallDue() {
        boolean isLong = engine().waits().stillNanos() >= afterNanos;
        isCallTold &= isLong && engine().waits().isOldest(toldSequence);
        return isLong && !isCallTold;
    }

    private void tellCall() {
        CallDescription call = engine().waits().call();
        if (call != null) {
            isCallTold = true;
            toldSequence = call.sequence();
            log.accept(
                    "%s has waited for %s: %s"
                            .formatted(
                                    core.context(call.operation(), call.sequence()),
                                    Peers.spell(engine().waits().stillNanos()),
                                    new Peers(core, askedNanos).inCall(call.sequence())));
        }
    }

    private List<MessageWait> overdue(long nowNanos) {
        return channel().messages().waits().stream()
                .filter(receive -> receive.look(nowNanos) >= afterNanos && !receive.isTold())
                .toList();
    }

    private void tellReceives(List<MessageWait> receives, long nowNanos) {
        receives.forEach(MessageWait::markTold);
        MessageWait first = receives.getFirst();
        Envelope envelope = new Envelope(first.source(), first.tag(), 0);
        Peers peers = new Peers(core, askedNanos);
        log.accept(
                "%s has waited for %s for %s%s: %s"
                        .formatted(
                                core.context(first.operation()),
                                Peers.spell(first.look(nowNanos)),
                                envelope.spellIncoming(),
                                others(receives.size() - 1),
                                first.source() == Communicator.ANY_SOURCE
                                        ? peers.all()
                                        : peers.one(first.source())));
    }

    private static String others(int more) {
        return more == 0 ? "" : " (and %d more for theirs)".formatted(more);
    }

    private CollectiveEngine engine() {
        return core.engine();
    }

    private Channel channel() {
        return core.channel();
    }
}
