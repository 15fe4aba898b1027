package io.nexar.transport.tcp;

import io.nexar.transport.LinkContractTest;
import io.nexar.transport.LinkPair;

class TcpPlaintextLinkTest extends LinkContractTest {
    @Override
    protected LinkPair open(Runnable leftWakeUp, Runnable rightWakeUp) throws Exception {
        TcpMembers.Wish wish = TcpMembers.Wish.plain().with(Protection.INSECURE_PLAINTEXT);
        return TcpMembers.pair(wish.with(leftWakeUp), wish.with(rightWakeUp));
    }

    /** The window alone: what is not acknowledged counts, wherever it lies. */
    @Override
    protected long unpolledBytesMax() {
        return TcpMembers.WINDOW_BYTES;
    }
}
