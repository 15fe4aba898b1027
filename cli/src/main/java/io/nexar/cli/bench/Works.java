package io.nexar.cli.bench;

import io.nexar.Algorithm;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.cli.bench.Oracle.Expected;
import io.nexar.cli.bench.Work.Result;
import io.nexar.communicator.NexarCommunicator;

import java.util.List;

/**
 * Binds the collectives to buffers: plain blocking calls, as a program writes them. Roots are rank
 * 0; input and output lie apart where the operation lets them.
 */
final class Works {
    private final BenchSpec spec;
    private final Communicator world;
    private final Buffers buffers;
    private final int rank;
    private final int ranks;

    Works(BenchSpec spec, Communicator world, Buffers buffers) {
        this.spec = spec;
        this.world = world.withAlgorithm(spec.algorithm());
        this.buffers = buffers;
        this.rank = world.rank();
        this.ranks = world.size();
    }

    Work bind(long bytes) {
        long count = spec.count(bytes);
        return switch (spec.op()) {
            case PINGPONG, BANDWIDTH, MESSAGERATE ->
                    new MessageWorks(world, buffers).bind(spec.op(), count);
            case BARRIER -> Work.of(world::barrier, List.of());
            case BROADCAST -> broadcast(count);
            case REDUCE, ALLREDUCE, SCAN -> reduction(count);
            case GATHER, ALLGATHER -> gathering(count);
            case SCATTER -> scatter(count);
            case ALLTOALL -> allToAll(count);
            case REDUCESCATTER -> reduceScatter(count);
        };
    }

    /** What ran, or would run where that can't be told. */
    String algorithm() {
        if (!spec.op().isCollective()) {
            return BenchResult.NO_ALGORITHM;
        }
        Algorithm ran = world instanceof NexarCommunicator own ? own.lastAlgorithm() : null;
        return (ran == null ? spec.algorithm() : ran).name();
    }

    private Work broadcast(long count) {
        DataBuffer buffer = rank == 0 ? buffers.filled(count) : buffers.empty(count);
        return Work.of(
                () -> world.broadcast(buffer, 0),
                rank == 0 ? List.of() : List.of(new Result(buffer, Expected.copied(0, 0))));
    }

    private Work reduction(long count) {
        DataBuffer in = buffers.filled(count);
        DataBuffer out = buffers.empty(count);
        boolean isScan = spec.op() == BenchOp.SCAN;
        Runnable call =
                switch (spec.op()) {
                    case REDUCE -> () -> world.reduce(in, out, spec.reduceOp(), 0);
                    case SCAN -> () -> world.scan(in, out, spec.reduceOp());
                    default -> () -> world.allReduce(in, out, spec.reduceOp());
                };
        Result result = new Result(out, Expected.combined(0, isScan ? rank + 1 : ranks, 0));
        boolean hasResult = spec.op() != BenchOp.REDUCE || rank == 0;
        return Work.of(call, hasResult ? List.of(result) : List.of());
    }

    private Work gathering(long count) {
        boolean isForAll = spec.op() == BenchOp.ALLGATHER;
        boolean hasResult = isForAll || rank == 0;
        DataBuffer in = buffers.filled(count);
        DataBuffer out = buffers.empty(hasResult ? Math.multiplyExact(count, ranks) : 0);
        Runnable call = isForAll ? () -> world.allGather(in, out) : () -> world.gather(in, out, 0);
        return Work.of(
                call, hasResult ? List.of(new Result(out, Expected.blocks(0, count))) : List.of());
    }

    private Work scatter(long count) {
        DataBuffer in =
                rank == 0 ? buffers.filled(Math.multiplyExact(count, ranks)) : buffers.empty(0);
        DataBuffer out = buffers.empty(count);
        return Work.of(
                () -> world.scatter(in, out, 0),
                List.of(new Result(out, Expected.copied(0, rank * count))));
    }

    private Work allToAll(long count) {
        DataBuffer in = buffers.filled(Math.multiplyExact(count, ranks));
        DataBuffer out = buffers.empty(Math.multiplyExact(count, ranks));
        return Work.of(
                () -> world.allToAll(in, out),
                List.of(new Result(out, Expected.blocks(rank * count, count))));
    }

    private Work reduceScatter(long count) {
        DataBuffer in = buffers.filled(Math.multiplyExact(count, ranks));
        DataBuffer out = buffers.empty(count);
        return Work.of(
                () -> world.reduceScatter(in, out, spec.reduceOp()),
                List.of(new Result(out, Expected.combined(0, ranks, rank * count))));
    }
}
