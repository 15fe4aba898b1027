package io.nexar.communicator;

import io.nexar.OperationContext;
import io.nexar.fabric.Completion;
import io.nexar.fabric.MessageWait;

import java.time.Duration;
import java.util.List;

/**
 * Somebody waits for a message.
 *
 * @param <W> what for
 * @param <T> its result
 */
abstract class PendingWait<W extends MessageWait, T> extends Pending<T> {
    final W wait;
    private final Envelope envelope;

    PendingWait(CommunicatorCore core, Duration timeout, Envelope envelope, W wait) {
        super(core, timeout);
        this.wait = wait;
        this.envelope = envelope;
        begin(wait.begunNanos());
    }

    @Override
    final OperationContext context() {
        return core().context(wait.operation());
    }

    @Override
    final Completion completion() {
        return wait;
    }

    @Override
    final String missing() {
        return envelope.spellIncoming();
    }

    @Override
    final List<Integer> waitingFor() {
        return envelope.sources();
    }

    @Override
    final void giveUp(RuntimeException failure) {
        core().channel().messages().giveUp(wait, failure);
    }

    @Override
    final boolean withdraw() {
        return core().channel().messages().cancel(wait);
    }
}
