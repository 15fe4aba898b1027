package io.nexar.examples;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Nexar;
import io.nexar.ReduceOp;

import java.util.Arrays;

/** Sums an array over all ranks, in place: {@code ./nexar run -n 4 allreduce}. */
public final class AllReduce {

    private AllReduce() {}

    public static void main(String[] args) {
        try (Nexar nexar = Nexar.join()) {
            double[] sum = sum(nexar.world());
            if (nexar.world().rank() == 0) {
                System.out.println("allreduce: " + Arrays.toString(sum));
            }
        }
    }

    /** Rank r brings (r + 1) * {1, 10, 100}; every rank leaves with the sum over all. */
    static double[] sum(Communicator world) {
        int share = world.rank() + 1;
        double[] values = {share, 10.0 * share, 100.0 * share};
        world.allReduce(DataBuffer.of(values), ReduceOp.SUM);
        return values;
    }
}
