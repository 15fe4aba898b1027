package io.nexar.transport.shm;

import static io.nexar.transport.LinkDriver.drive;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.MemberId;
import io.nexar.transport.Lane;
import io.nexar.transport.LinkContractTest;
import io.nexar.transport.LinkPair;

import org.junit.jupiter.api.Test;

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

    @Test
    void aPollEndsBehindALongPayload() {
        assertThatAPollEndsBehindALongPayload();
    }

    /** Nobody sleeps while the room comes, so nobody can be woken: it must be seen afterwards. */
    @Test
    void roomThatCameBeforeTheSenderSleptKeepsItAwake() throws Exception {
        int sent = fill(Lane.BULK, 60_000).size();
        assertThat(left.link().isReady()).as("with a full lane").isFalse();
        drive(() -> right.arrived().size() == sent, right);
        assertThat(left.link().isReady()).as("with room again").isTrue();
        assertThat(left.poll()).isPositive();
        drive(() -> left.told().size() == pending, left);
        assertThat(left.link().isReady()).as("once that is known").isFalse();
    }
}
