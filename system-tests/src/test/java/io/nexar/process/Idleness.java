package io.nexar.process;

import com.sun.management.OperatingSystemMXBean;

import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Measures how much a program computes while it should do nothing. */
final class Idleness {
    private static final long WINDOW_MILLIS = 1000;

    /** What the compiler and the collector still do after a failure is over by then. */
    private static final int WINDOWS_MAX = 10;

    private static final double QUIET_PERCENT = 4;

    private Idleness() {}

    /**
     * The share of one core that this process takes, in percent: of the first second in which it is
     * as low as a waiting process's, or else of the tenth.
     */
    static double percent() throws InterruptedException {
        double percent = 100;
        for (int i = 0; i < WINDOWS_MAX && percent >= QUIET_PERCENT; i++) {
            long cpu = cpuNanos();
            long start = System.nanoTime();
            pause(WINDOW_MILLIS);
            percent = 100.0 * (cpuNanos() - cpu) / (System.nanoTime() - start);
        }
        return percent;
    }

    /** Does nothing for this long. */
    static void pause(long millis) throws InterruptedException {
        if (new CountDownLatch(1).await(millis, TimeUnit.MILLISECONDS)) {
            throw new AssertionError("nobody counts it down");
        }
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
                .getProcessCpuTime();
    }
}
