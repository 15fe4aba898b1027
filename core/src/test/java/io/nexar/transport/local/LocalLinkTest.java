package io.nexar.transport.local;

import io.nexar.MemberId;
import io.nexar.transport.LinkContractTest;
import io.nexar.transport.LinkPair;

import org.junit.jupiter.api.Test;

class LocalLinkTest extends LinkContractTest {
    @Override
    protected LinkPair open(Runnable leftWakeUp, Runnable rightWakeUp) throws Exception {
        return LocalMembers.pair(new MemberId(3), leftWakeUp, new MemberId(5), rightWakeUp);
    }

    @Override
    protected long unpolledBytesMax() {
        return LocalRing.SLOTS * 64L * 1024;
    }

    @Test
    void aPollEndsBehindALongPayload() {
        assertThatAPollEndsBehindALongPayload();
    }
}
