package io.nexar.transport.shm;

import io.nexar.MemberId;
import io.nexar.transport.LinkContractTest;
import io.nexar.transport.LinkPair;

class ShmLinkTest extends LinkContractTest {
    @Override
    protected LinkPair open(Runnable leftWakeUp, Runnable rightWakeUp) throws Exception {
        return ShmMembers.pair(new MemberId(3), leftWakeUp, new MemberId(5), rightWakeUp);
    }

    /** The longest ring, and what is lent before it is filled. */
    @Override
    protected long unpolledBytesMax() {
        return (256 + 64) * 1024;
    }
}
