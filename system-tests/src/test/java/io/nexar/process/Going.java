package io.nexar.process;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.MemberId;
import io.nexar.MembershipEvent;
import io.nexar.Nexar;
import io.nexar.NexarException;
import io.nexar.PeerLostException;
import io.nexar.ReduceOp;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Small allReduces on the world for as long as they work; when the victim is lost, on a
 * communicator of the others until somebody writes to one of them. Every result is checked.
 *
 * <p>Says {@code started}; each second {@code count N}; {@code event KIND RANK}; {@code late
 * MILLIS}, how long the machine had no time for it while it waited; {@code failed MICROS COUNT
 * CLASS RANK SCOPE MESSAGE}; then the victim what further calls give ({@code again CLASS}), the
 * others {@code survived COUNT}; and {@code closed MILLIS}.
 */
final class Going {
    private static final long SECOND_NANOS = 1_000_000_000L;

    /** As often as heartbeats go out; a delay of more is a pause to the detector as well. */
    private static final long TICK_MILLIS = 500;

    private final AtomicLong lateMillis = new AtomicLong();
    private long count;
    private long saidNanos = System.nanoTime();

    private Going() {}

    public static void main(String[] arguments) throws Exception {
        Say.sayWho();
        Nexar nexar = Nexar.join();
        List<MemberId> members = nexar.membership().members();
        nexar.membership().subscribe(event -> tell(event, members));
        new Going().run(nexar.world(), Integer.parseInt(arguments[0]));
        long start = System.nanoTime();
        nexar.close();
        Say.say("closed", (System.nanoTime() - start) / 1_000_000);
        Say.reportLeaks();
    }

    private void run(Communicator world, int victim) throws IOException {
        boolean isVictim = world.rank() == victim;
        Communicator others = world.split(isVictim ? 1 : 0, world.rank()).orElseThrow();
        world.barrier();
        Thread.ofPlatform().daemon().start(this::measureLateness);
        Say.say("started");
        try {
            while (true) {
                sumOnce(world, 0);
            }
        } catch (NexarException failure) {
            Say.say("late", lateMillis);
            tell("failed", failure);
        }
        if (isVictim) {
            tryAgain(world);
        } else {
            count = 0;
            while (sumOnce(others, System.in.available()) == 0) {
                // Nobody has been told to stop.
            }
            Say.say("survived", count);
        }
    }

    private void measureLateness() {
        try {
            while (true) {
                long start = System.nanoTime();
                Idleness.pause(TICK_MILLIS);
                long late = (System.nanoTime() - start) / 1_000_000 - TICK_MILLIS;
                if (late > TICK_MILLIS) {
                    lateMillis.addAndGet(late);
                }
            }
        } catch (InterruptedException end) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the sum of what the ranks bring besides the numbers that are checked. */
    private int sumOnce(Communicator on, int extra) {
        int[] values = new int[100];
        for (int i = 1; i < values.length; i++) {
            values[i] = value(on.rank(), i);
        }
        values[0] = extra;
        on.allReduce(DataBuffer.of(values), ReduceOp.SUM);
        for (int i = 1; i < values.length; i++) {
            int expected = 0;
            for (int rank = 0; rank < on.size(); rank++) {
                expected += value(rank, i);
            }
            if (values[i] != expected) {
                Say.say("wrong", "element", i, "is", values[i], "not", expected);
                Runtime.getRuntime().halt(70);
            }
        }
        count++;
        sayCount();
        return values[0];
    }

    private int value(int rank, int index) {
        return (int) (count * 31 + 1) * (rank * 1000 + index) * 0x7FEB352D;
    }

    private void sayCount() {
        if (System.nanoTime() - saidNanos > SECOND_NANOS) {
            saidNanos = System.nanoTime();
            Say.say("count", count);
        }
    }

    private static void tryAgain(Communicator world) {
        int next = (world.rank() + 1) % world.size();
        try {
            world.send(DataBuffer.of(new int[] {1}), next, 1);
            Say.say("again", "nothing");
        } catch (NexarException failure) {
            Say.say("again", failure.getClass().getSimpleName());
        }
    }

    private void tell(String word, NexarException failure) {
        int rank = failure instanceof PeerLostException lost ? lost.rank() : -1;
        String error = failure.getClass().getSimpleName();
        Say.say(word, Say.micros(), count, error, rank, failure.scope(), failure.getMessage());
    }

    private static void tell(MembershipEvent event, List<MemberId> members) {
        switch (event) {
            case MembershipEvent.Suspected(var member, var _) ->
                    Say.say("event", "Suspected", members.indexOf(member));
            case MembershipEvent.Lost(var member, var reason, var _) ->
                    Say.say("event", "Lost", members.indexOf(member), reason);
            case MembershipEvent.Left(var member, var _) ->
                    Say.say("event", "Left", members.indexOf(member));
            default -> Say.say("event", event);
        }
    }
}
