package io.nexar.process;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Nexar;
import io.nexar.NexarException;
import io.nexar.PeerLostException;
import io.nexar.ReduceOp;

/**
 * One large allReduce after the other until one fails, every element of every result checked. Says
 * {@code started}, then {@code failed MICROS EXACT-RESULTS CLASS RANK MESSAGE}, how much it
 * computes afterwards ({@code quiet PERCENT}), and how long closing took ({@code closed MILLIS}).
 */
final class LargeSums {
    /** Different data in each element, rank and call, without a pattern that a sum could hide. */
    private static final int RANK_STEP = 0x3C6EF372;

    private static final int CALL_STEP = 0x1B873593;

    private final Communicator world;
    private final int[] data;
    private final int[] result;
    private int exact;

    private LargeSums(Communicator world, int elements) {
        this.world = world;
        this.data = new int[elements];
        this.result = new int[elements];
    }

    public static void main(String[] arguments) throws Exception {
        int elements = Integer.parseInt(arguments[0]) * (1 << 20) / Integer.BYTES;
        boolean waits = arguments[1].equals("measure");
        Say.sayWho();
        Nexar nexar = Nexar.join();
        LargeSums sums = new LargeSums(nexar.world(), elements);
        nexar.world().barrier();
        Say.say("started");
        sums.untilOneFails();
        if (waits) {
            Say.say("quiet", Idleness.percent());
        }
        long start = System.nanoTime();
        nexar.close();
        Say.say("closed", (System.nanoTime() - start) / 1_000_000);
        Say.reportLeaks();
        System.exit(waits ? 0 : 1);
    }

    private void untilOneFails() {
        try {
            while (true) {
                sumOnce();
                exact++;
            }
        } catch (NexarException failure) {
            int rank = failure instanceof PeerLostException lost ? lost.rank() : -1;
            Say.say(
                    "failed",
                    Say.micros(),
                    exact,
                    failure.getClass().getSimpleName(),
                    rank,
                    failure.getMessage());
            if (exact % 2 == 1) {
                requireUnchanged(data);
            }
        }
    }

    /** Even calls are in place; odd ones leave the send buffer alone, whatever happens. */
    private void sumOnce() {
        fill(data);
        DataBuffer send = DataBuffer.of(data);
        if (exact % 2 == 0) {
            world.allReduce(send, ReduceOp.SUM);
            requireSums(data);
        } else {
            world.allReduce(send, DataBuffer.of(result), ReduceOp.SUM);
            requireSums(result);
        }
    }

    private void fill(int[] memory) {
        int base = base(world.rank());
        for (int i = 0; i < memory.length; i++) {
            memory[i] = mix(base + i);
        }
    }

    private void requireUnchanged(int[] memory) {
        int base = base(world.rank());
        for (int i = 0; i < memory.length; i++) {
            require(i, memory[i], mix(base + i));
        }
    }

    private void requireSums(int[] memory) {
        for (int i = 0; i < memory.length; i++) {
            int sum = 0;
            for (int rank = 0; rank < world.size(); rank++) {
                sum += mix(base(rank) + i);
            }
            require(i, memory[i], sum);
        }
    }

    private int base(int rank) {
        return rank * RANK_STEP + exact * CALL_STEP;
    }

    private static int mix(int x) {
        int mixed = (x ^ x >>> 16) * 0x7FEB352D;
        return mixed ^ mixed >>> 15;
    }

    private void require(int index, int found, int expected) {
        if (found != expected) {
            Say.say("wrong", "call", exact, "element", index, "is", found, "not", expected);
            Runtime.getRuntime().halt(70);
        }
    }
}
