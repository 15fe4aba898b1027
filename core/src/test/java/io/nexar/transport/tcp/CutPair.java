package io.nexar.transport.tcp;

import io.nexar.MemberId;
import io.nexar.transport.BackedLink;
import io.nexar.transport.Link;
import io.nexar.transport.LinkPair;
import io.nexar.transport.local.LocalMembers;
import io.nexar.transport.tcp.TcpMembers.Member;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Two links with TCP before them and a link of the process behind it, and somebody in the TCP
 * connection who may cut it. The left one has dialled.
 */
final class CutPair {
    private static final MemberId LEFT = new MemberId(3);
    private static final MemberId RIGHT = new MemberId(5);

    final Between between;
    final LinkPair base;
    final BackedLink left;
    final BackedLink right;
    final Link leftFast;
    final Link rightFast;

    /** Why fast links broke, as the links tell it. */
    final List<String> breaks = new CopyOnWriteArrayList<>();

    private final AtomicInteger leftSignals = new AtomicInteger();
    private final AtomicInteger rightSignals = new AtomicInteger();

    /** The members may serve many pairs. */
    CutPair(Member one, Member two, Runnable leftWakeUp, Runnable rightWakeUp) throws Exception {
        between = new Between(two.endpoint.address().candidates().getFirst());
        leftFast = TcpMembers.dial(one, two, between.address());
        rightFast = two.takeAccepted();
        base =
                LocalMembers.pair(
                        LEFT,
                        () -> signal(leftSignals, leftWakeUp),
                        RIGHT,
                        () -> signal(rightSignals, rightWakeUp));
        left = new BackedLink(base.left(), leftSignals::get, System::nanoTime, breaks::add);
        right = new BackedLink(base.right(), rightSignals::get, System::nanoTime, breaks::add);
    }

    static Member left(TcpMembers.Job job, TcpMembers.Wish wish) {
        return new Member(LEFT.id(), job.identity(LEFT.id()), wish);
    }

    static Member right(TcpMembers.Job job, TcpMembers.Wish wish) {
        return new Member(RIGHT.id(), job.identity(RIGHT.id()), wish);
    }

    CutPair offerBoth() {
        left.offer(leftFast);
        right.offer(rightFast);
        return this;
    }

    /** Whether both ends send over TCP by now. */
    boolean isOverTcp() {
        return left.transport().equals("tcp") && right.transport().equals("tcp");
    }

    LinkPair links() {
        return new LinkPair(
                left,
                right,
                () -> {
                    base.close();
                    leftFast.close("the test is over");
                    rightFast.close("the test is over");
                    between.close();
                });
    }

    private static void signal(AtomicInteger signals, Runnable wakeUp) {
        signals.incrementAndGet();
        wakeUp.run();
    }
}
