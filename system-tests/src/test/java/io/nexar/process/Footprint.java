package io.nexar.process;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.DataType;
import io.nexar.Nexar;
import io.nexar.ReduceOp;

import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Says what memory and threads a rank takes beyond its JVM: {@code idle} in a job without traffic,
 * {@code held KIB THREADS}; {@code sum MIB} for one allReduce, {@code needed KIB}.
 */
final class Footprint {
    private Footprint() {}

    public static void main(String[] arguments) throws Exception {
        Say.sayWho();
        if (arguments[0].equals("idle")) {
            idle();
        } else {
            sum(Long.parseLong(arguments[1]) << 20);
        }
        Say.reportLeaks();
    }

    private static void idle() throws Exception {
        long before = heldKib();
        try (Nexar nexar = Nexar.join()) {
            nexar.world().barrier();
            long held = heldKib() - before;
            Say.say("held", held, Thread.getAllStackTraces().size());
            nexar.world().barrier();
        }
    }

    /**
     * What is in use of the heap, and all memory outside of it but classes and compiled code. The
     * JVM must have touched its whole heap at its start, so that what it takes for garbage does not
     * count.
     */
    private static long heldKib() throws IOException {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        long usedKib = (runtime.totalMemory() - runtime.freeMemory()) >> 10;
        long codeKib = ManagementFactory.getMemoryMXBean().getNonHeapMemoryUsage().getUsed() >> 10;
        return statusKib("VmRSS:") + usedKib - codeKib;
    }

    private static void sum(long bytes) throws IOException {
        long count = bytes / Integer.BYTES;
        DataBuffer buffer = DataBuffer.allocate(DataType.I32, count);
        try (Nexar nexar = Nexar.join()) {
            Communicator world = nexar.world();
            for (long i = 0; i < count; i++) {
                buffer.segment().setAtIndex(ValueLayout.JAVA_INT, i, value(world.rank(), i));
            }
            world.barrier();
            System.gc();
            long before = statusKib("VmRSS:");
            world.allReduce(buffer, ReduceOp.SUM);
            long needed = statusKib("VmHWM:") - before - peersKib();
            for (long i = 0; i < count; i++) {
                int wanted = value(0, i) + value(1, i);
                if (buffer.segment().getAtIndex(ValueLayout.JAVA_INT, i) != wanted) {
                    throw new AssertionError("element " + i + " is wrong");
                }
            }
            Say.say("needed", needed);
        }
    }

    private static int value(int rank, long index) {
        return (int) (index * 0x9E3779B9L + rank * 0x3C6EF372L >>> 3);
    }

    /**
     * How much of other ranks' buffers this process has read: it is theirs, and counts here too.
     */
    private static long peersKib() throws IOException {
        long sum = 0;
        boolean isPeers = false;
        for (String line : Files.readAllLines(Path.of("/proc/self/smaps"))) {
            if (line.contains("memfd:")) {
                isPeers = line.contains(" r--s ") && line.contains("memfd:nexar-buffers");
            } else if (isPeers && line.startsWith("Rss:")) {
                sum += Long.parseLong(line.replaceAll("\\D", ""));
                isPeers = false;
            }
        }
        return sum;
    }

    /** A line of the kernel's account of this process. */
    private static long statusKib(String key) throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith(key))
                .map(line -> line.substring(key.length()).replace("kB", "").strip())
                .mapToLong(Long::parseLong)
                .findFirst()
                .orElseThrow();
    }
}
