package io.nexar.hosts;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Nexar;
import io.nexar.NexarException;
import io.nexar.ReduceOp;

/** What a rank on a host of {@link Hosts} does; each scenario prints a line that the test reads. */
public final class HostProgram {

    private static final int MIB = 1 << 20;

    private HostProgram() {}

    public static void main(String[] arguments) {
        try (Nexar nexar = Nexar.join()) {
            Communicator world = nexar.world();
            switch (arguments[0]) {
                case "transfer" -> transfer(world, Integer.parseInt(arguments[1]));
                case "forever" -> reduceUntilItFails(world);
                default -> throw new IllegalArgumentException(arguments[0]);
            }
        } catch (NexarException failure) {
            System.out.println("failed: " + failure.getMessage());
            System.exit(1);
        }
    }

    /** So many MiB from each rank to the other, in messages of 1 MiB. */
    private static void transfer(Communicator world, int count) {
        int other = 1 - world.rank();
        long[] out = new long[MIB / Long.BYTES];
        long[] in = new long[out.length];
        for (int number = 0; number < count; number++) {
            for (int i = 0; i < out.length; i++) {
                out[i] = element(world.rank(), number, i);
            }
            world.sendReceive(DataBuffer.of(out), other, 1, DataBuffer.of(in), other, 1);
            for (int i = 0; i < in.length; i++) {
                if (in[i] != element(other, number, i)) {
                    throw new AssertionError("message " + number + ", element " + i);
                }
            }
        }
        System.out.println("transfer: " + count + " MiB");
    }

    private static long element(int rank, int number, int i) {
        return ((((long) rank << 20) + number) << 32 | i) * 0x9E3779B97F4A7C15L;
    }

    private static void reduceUntilItFails(Communicator world) {
        long last = System.nanoTime();
        try {
            for (int number = 0; true; number++) {
                float[] values = {1, 2, 3};
                world.allReduce(DataBuffer.of(values), ReduceOp.SUM);
                last = System.nanoTime();
                if (number % 100 == 0) {
                    System.out.println("call: " + number);
                }
            }
        } catch (NexarException failure) {
            long millis = (System.nanoTime() - last) / 1_000_000;
            System.out.println("forever: " + millis + " ms: " + failure.getMessage());
        }
    }
}
