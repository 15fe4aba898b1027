package io.nexar.process;

import io.nexar.DataBuffer;
import io.nexar.MemberId;
import io.nexar.MembershipEvent;
import io.nexar.Nexar;
import io.nexar.ReduceOp;
import io.nexar.RendezvousException;

import java.io.IOException;
import java.util.List;

/**
 * Joins, says {@code met SUM}, does nothing at all until it is told to by a line, runs barriers,
 * and says {@code after}. Members that are lost meanwhile are {@code lost RANK MICROS}; a formation
 * that fails is {@code refused MICROS MISSING-RANKS MESSAGE}.
 */
final class Meeting {
    private static final int BARRIERS = 100;

    private Meeting() {}

    public static void main(String[] arguments) throws Exception {
        Say.sayWho();
        try (Nexar nexar = Nexar.join()) {
            List<MemberId> members = nexar.membership().members();
            nexar.membership().subscribe(event -> tell(event, members));
            int[] sum = {1 + nexar.world().rank()};
            nexar.world().allReduce(DataBuffer.of(sum), ReduceOp.SUM);
            Say.say("met", sum[0]);
            awaitLine();
            for (int i = 0; i < BARRIERS; i++) {
                nexar.world().barrier();
            }
            Say.say("after");
            awaitLine();
        } catch (RendezvousException failure) {
            Say.say("refused", Say.micros(), failure.missingRanks(), failure.getMessage());
        }
        Say.reportLeaks();
    }

    private static void awaitLine() throws IOException {
        if (System.in.read() < 0) {
            throw new IOException("nobody wrote the line that was to come");
        }
    }

    private static void tell(MembershipEvent event, List<MemberId> members) {
        if (event instanceof MembershipEvent.Lost(var member, var reason, var _)) {
            Say.say("lost", members.indexOf(member), Say.micros(), reason);
        }
    }
}
