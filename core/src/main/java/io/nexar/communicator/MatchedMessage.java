package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.DeadlineException;
import io.nexar.IncomingMessage;
import io.nexar.InterruptedOperationException;
import io.nexar.Status;
import io.nexar.fabric.ProbeOperation;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/** A message that is out of matching and waits for its memory. */
final class MatchedMessage implements IncomingMessage {
    private final Messages messages;
    private final ProbeOperation taker;
    private final Duration timeout;
    private final AtomicBoolean isReceived = new AtomicBoolean();

    MatchedMessage(Messages messages, ProbeOperation taker, Duration timeout) {
        this.messages = messages;
        this.taker = taker;
        this.timeout = timeout;
    }

    @Override
    public Status status() {
        return taker.status();
    }

    @Override
    public Status receive(DataBuffer buffer) {
        return receive(List.of(buffer));
    }

    @Override
    public Status receive(List<DataBuffer> buffers) {
        Places places = Places.toReceive(buffers);
        if (!isReceived.compareAndSet(false, true)) {
            throw new IllegalStateException(
                    "the message from rank %d with tag %d was received before"
                            .formatted(status().source(), status().tag()));
        }
        try {
            return messages.receive(taker, places, timeout).await();
        } catch (DeadlineException | InterruptedOperationException unreceived) {
            isReceived.set(false);
            throw unreceived;
        }
    }
}
