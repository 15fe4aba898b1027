package io.nexar.status;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Nexar;
import io.nexar.ReduceOp;
import io.nexar.Request;

/**
 * A job that stands: all ranks but {@link #LATE} are in a sum, and that one stays in its own code
 * until it reads a byte.
 */
public final class StalledProgram {
    static final int LATE = 2;
    static final int COUNT = 1000;

    private StalledProgram() {}

    public static void main(String[] arguments) throws Exception {
        try (Nexar nexar = Nexar.join()) {
            Communicator world = nexar.world();
            world.barrier();
            Communicator half = world.split(world.rank() % 2, 0).orElseThrow();
            if (world.rank() == 0) {
                world.send(DataBuffer.of(new int[] {7, 8}), LATE, 5); // unexpected there
            }
            Request<?> never = half.async().receive(DataBuffer.of(new int[1]), 1 - half.rank(), 9);
            if (world.rank() == LATE) {
                System.out.println("stalled: waits");
                System.out.flush();
                if (System.in.read() < 0) {
                    throw new IllegalStateException("nobody said to go on");
                }
            }
            float[] sum = new float[COUNT];
            sum[0] = world.rank();
            world.allReduce(DataBuffer.of(sum), ReduceOp.SUM);
            never.cancel();
            System.out.println("stalled: sum " + sum[0]);
        }
    }
}
