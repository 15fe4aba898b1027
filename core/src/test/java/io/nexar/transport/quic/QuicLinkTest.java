package io.nexar.transport.quic;

import io.nexar.transport.LinkContractTest;
import io.nexar.transport.LinkPair;

import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(LeakCheck.class)
class QuicLinkTest extends LinkContractTest {
    @Override
    protected LinkPair open(Runnable leftWakeUp, Runnable rightWakeUp) throws Exception {
        return QuicMembers.pair(leftWakeUp, rightWakeUp);
    }

    /** The sender's own bound, QUIC's window of a lane, and the receiver's bound with its slack. */
    @Override
    protected boolean isCloseSure() {
        return false;
    }

    @Override
    protected long unpolledBytesMax() {
        long window = io.nexar.NexarConfig.defaults().bytes("nexar.quic.connectionWindow") / 8;
        return OutgoingLane.IN_FLIGHT_BYTES_MAX + window + 2 * IncomingLane.QUEUED_BYTES_MAX;
    }
}
