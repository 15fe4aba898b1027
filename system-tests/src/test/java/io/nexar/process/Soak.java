package io.nexar.process;

import io.netty.util.internal.PlatformDependent;
import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DeadlineException;
import io.nexar.Nexar;
import io.nexar.ReduceOp;

import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * Rounds of a hundred small and ten medium allReduces, one communicator made, used and closed, and
 * ten receives that time out. Says {@code measured ROUND HEAP DIRECT RESIDENT THREADS DESCRIPTORS}
 * after the first rounds and after the last, sizes in KiB, and what is open.
 */
final class Soak {
    private static final int SMALL = 2;

    private static final int MEDIUM = 32 << 10;

    private final Communicator world;
    private int calls;

    private Soak(Communicator world) {
        this.world = world;
    }

    public static void main(String[] arguments) throws Exception {
        int first = Integer.parseInt(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        Say.sayWho();
        try (Nexar nexar = Nexar.join()) {
            Soak soak = new Soak(nexar.world());
            for (int round = 1; round <= rounds; round++) {
                soak.round();
                if (round == first || round == rounds) {
                    nexar.world().barrier();
                    measure(round);
                    nexar.world().barrier();
                }
            }
        }
        Say.reportLeaks();
    }

    private void round() {
        for (int i = 0; i < 100; i++) {
            sum(world, SMALL);
        }
        for (int i = 0; i < 10; i++) {
            sum(world, MEDIUM);
        }
        try (Communicator other = world.duplicate()) {
            sum(other, SMALL);
        }
        Communicator hasty = world.withTimeout(Duration.ofMillis(1));
        int next = (world.rank() + 1) % world.size();
        for (int i = 0; i < 10; i++) {
            receiveNothing(hasty, next);
        }
    }

    private void sum(Communicator on, int count) {
        int[] values = new int[count];
        calls++;
        for (int i = 0; i < count; i++) {
            values[i] = (on.rank() + 1) * (i + calls);
        }
        on.allReduce(DataBuffer.of(values), ReduceOp.SUM);
        int ranks = on.size() * (on.size() + 1) / 2;
        for (int i = 0; i < count; i++) {
            require(values[i] == ranks * (i + calls), "element " + i + " is " + values[i]);
        }
    }

    private static void receiveNothing(Communicator hasty, int source) {
        try {
            hasty.receive(DataBuffer.of(new int[1]), source, 7);
            require(false, "a message that nobody sent");
        } catch (DeadlineException expected) {
            require(expected.waitingFor().contains(source), expected.toString());
        }
    }

    private static void measure(int round) throws IOException {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        Runtime runtime = Runtime.getRuntime();
        List<String> held = descriptors();
        Say.say(
                "measured",
                round,
                (runtime.totalMemory() - runtime.freeMemory()) >> 10,
                direct() >> 10,
                residentKib(),
                ManagementFactory.getThreadMXBean().getThreadCount(),
                held.size());
        Say.say("open", round, held);
    }

    private static long direct() {
        long pools =
                ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .mapToLong(BufferPoolMXBean::getMemoryUsed)
                        .sum();
        return pools + Math.max(0, PlatformDependent.usedDirectMemory());
    }

    /** Everything that lies outside of the heap as well, as the kernel sees it. */
    private static long residentKib() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmRSS:"))
                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                .findFirst()
                .orElseThrow();
    }

    /** What is open, but for the class path: the JVM opens a jar when it first looks into it. */
    private static List<String> descriptors() throws IOException {
        try (Stream<Path> entries = Files.list(Path.of("/proc/self/fd"))) {
            return entries.map(Soak::target)
                    .filter(target -> !target.isEmpty() && !target.endsWith(".jar"))
                    .sorted()
                    .toList();
        }
    }

    /** Nothing if it has been closed since it was listed. */
    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException closed) {
            return "";
        }
    }

    private static void require(boolean condition, String problem) {
        if (!condition) {
            throw new AssertionError(problem);
        }
    }
}
