package com.example;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.ReduceOp;
import io.nexar.Request;

/** A program with a mistake, outside of Nexar's own packages, so that its lines are call sites. */
public final class DifferentCalls {
    private DifferentCalls() {}

    /** The first rank adds up first, the others meet first. */
    public static void inAnotherOrder(Communicator world) {
        float[] sum = {world.rank()};
        if (world.rank() == 0) {
            world.allReduce(DataBuffer.of(sum), ReduceOp.SUM);
            world.barrier();
        } else {
            world.barrier();
            world.allReduce(DataBuffer.of(sum), ReduceOp.SUM);
        }
    }

    /** The same without waiting in between. */
    public static void inAnotherOrderAsync(Communicator world) {
        float[] sum = {world.rank()};
        if (world.rank() == 0) {
            Request<Void> first = world.async().allReduce(DataBuffer.of(sum), ReduceOp.SUM);
            Request.awaitAll(first, world.async().barrier());
        } else {
            Request<Void> first = world.async().barrier();
            Request.awaitAll(first, world.async().allReduce(DataBuffer.of(sum), ReduceOp.SUM));
        }
    }

    /** Each rank waits for the other to begin: nobody sends anything. */
    public static void fromRootsThatWait(Communicator world) {
        int[] value = {world.rank()};
        world.broadcast(DataBuffer.of(value), (world.rank() + 1) % world.size());
    }
}
