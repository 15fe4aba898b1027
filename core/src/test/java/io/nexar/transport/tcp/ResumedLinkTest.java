package io.nexar.transport.tcp;

import io.nexar.transport.LinkContractTest;
import io.nexar.transport.LinkDriver;
import io.nexar.transport.LinkPair;
import io.nexar.transport.Waker;

import java.util.List;

/** A link whose base has carried on keeps every promise of a link. */
class ResumedLinkTest extends LinkContractTest {
    @Override
    protected LinkPair open(Runnable leftWakeUp, Runnable rightWakeUp) throws Exception {
        Waker waker = new Waker();
        Runnable leftOrTest = () -> List.of(leftWakeUp, waker).forEach(Runnable::run);
        Runnable rightOrTest = () -> List.of(rightWakeUp, waker).forEach(Runnable::run);
        TcpMembers.Job job = new TcpMembers.Job("resumed");
        TcpMembers.Member one = CutPair.left(job, TcpMembers.Wish.plain().with(leftOrTest));
        TcpMembers.Member two = CutPair.right(job, TcpMembers.Wish.plain().with(rightOrTest));
        CutPair pair = new CutPair(one, two, leftOrTest, rightOrTest).offerBoth();
        LinkDriver left = new LinkDriver(pair.left, waker);
        LinkDriver right = new LinkDriver(pair.right, waker);
        LinkDriver.drive(() -> pair.left.transport().equals("tcp"), left, right);
        pair.between.cut();
        LinkDriver.drive(
                () -> pair.breaks.size() == 2 && left.poll() + right.poll() == 0, left, right);
        LinkPair links = pair.links();
        return new LinkPair(
                links.left(),
                links.right(),
                () -> {
                    links.close();
                    List.of(one, two).forEach(TcpMembers.Member::close);
                });
    }

    @Override
    protected long unpolledBytesMax() {
        return 64 * 64L * 1024; // of the base, a link of the process
    }
}
