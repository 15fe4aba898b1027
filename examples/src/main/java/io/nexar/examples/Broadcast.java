package io.nexar.examples;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Nexar;

import java.util.Arrays;

/** Rank 0 gives an array to all: {@code ./nexar run -n 4 broadcast}. */
public final class Broadcast {

    private Broadcast() {}

    public static void main(String[] args) {
        try (Nexar nexar = Nexar.join()) {
            Communicator world = nexar.world();
            long[] values = squares(world);
            System.out.println("rank " + world.rank() + " has " + Arrays.toString(values));
        }
    }

    /** Only the root's content counts; the others bring a buffer of the same size. */
    static long[] squares(Communicator world) {
        long[] values = new long[5];
        if (world.rank() == 0) {
            Arrays.setAll(values, i -> (long) (i + 1) * (i + 1));
        }
        world.broadcast(DataBuffer.of(values), 0);
        return values;
    }
}
