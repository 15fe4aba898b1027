package io.nexar.cli.bench;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Request;
import io.nexar.cli.bench.Oracle.Expected;
import io.nexar.cli.bench.Work.Result;

import java.util.ArrayList;
import java.util.List;

/**
 * Binds messages between two ranks to buffers. Ranks that have no part in it do nothing, and
 * receivers are not timed: a window is over when the sender has the receiver's answer.
 */
final class MessageWorks {
    /** As the OSU micro-benchmarks have it: so many messages before an answer. */
    private static final int WINDOW = 64;

    /** Bound of a window's memory: well over every cache, and little on a small machine. */
    private static final long WINDOW_BYTES_MAX = 64 << 20;

    private final Communicator world;
    private final Buffers buffers;

    MessageWorks(Communicator world, Buffers buffers) {
        this.world = world;
        this.buffers = buffers;
    }

    Work bind(BenchOp op, long count) {
        return switch (op) {
            case PINGPONG -> pingPong(count);
            case BANDWIDTH -> bandwidth(count);
            case MESSAGERATE -> messageRate(count);
            default -> throw new IllegalArgumentException(op + " is a collective");
        };
    }

    private static Work idle() {
        return new Work(() -> {}, false, 1, List.of());
    }

    private Work pingPong(long count) {
        int rank = world.rank();
        if (rank > 1) {
            return idle();
        }
        DataBuffer out = buffers.filled(count);
        DataBuffer in = buffers.empty(count);
        Runnable call =
                rank == 0
                        ? () -> {
                            world.send(out, 1, 0);
                            world.receive(in, 1, 0);
                        }
                        : () -> {
                            world.receive(in, 0, 0);
                            world.send(out, 0, 0);
                        };
        List<Result> results = List.of(new Result(in, Expected.copied(1 - rank, 0)));
        return new Work(call, rank == 0, 0.5, results);
    }

    private Work bandwidth(long count) {
        int rank = world.rank();
        if (rank > 1) {
            return idle();
        }
        int window = window(buffers.empty(count).byteSize());
        DataBuffer answer = buffers.empty(1);
        if (rank == 0) {
            DataBuffer message = buffers.filled(count);
            return new Work(
                    () -> {
                        List<Request<?>> sends = new ArrayList<>(window);
                        for (int i = 0; i < window; i++) {
                            sends.add(world.async().send(message, 1, 0));
                        }
                        sends.forEach(Request::await);
                        world.receive(answer, 1, 1);
                    },
                    true,
                    1.0 / window,
                    List.of());
        }
        List<Result> places = places(window, count, 0);
        Runnable call =
                () -> {
                    List<Request<?>> receives = new ArrayList<>(window);
                    for (Result place : places) {
                        receives.add(world.async().receive(place.buffer(), 0, 0));
                    }
                    receives.forEach(Request::await);
                    world.send(answer, 0, 1);
                };
        return new Work(call, false, 1.0 / window, places);
    }

    private Work messageRate(long count) {
        int pairs = world.size() / 2;
        int rank = world.rank();
        int other = (rank + pairs) % world.size();
        int window = window(buffers.empty(count).byteSize());
        DataBuffer answer = buffers.empty(1);
        if (rank < pairs) {
            DataBuffer message = buffers.filled(count);
            return new Work(
                    () -> {
                        for (int i = 0; i < window; i++) {
                            world.send(message, other, 0);
                        }
                        world.receive(answer, other, 1);
                    },
                    true,
                    1.0 / window,
                    List.of());
        }
        List<Result> places = places(window, count, other);
        return new Work(
                () -> {
                    for (Result place : places) {
                        world.receive(place.buffer(), other, 0);
                    }
                    world.send(answer, other, 1);
                },
                false,
                1.0 / window,
                places);
    }

    private List<Result> places(int window, long count, int sender) {
        List<Result> places = new ArrayList<>(window);
        for (int i = 0; i < window; i++) {
            places.add(new Result(buffers.empty(count), Expected.copied(sender, 0)));
        }
        return places;
    }

    private static int window(long bytes) {
        return Math.clamp(WINDOW_BYTES_MAX / Math.max(1, bytes), 1, WINDOW);
    }
}
