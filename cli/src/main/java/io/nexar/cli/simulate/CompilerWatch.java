package io.nexar.cli.simulate;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;

import java.lang.management.ManagementFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * What the JVM does beside the program: the processor's time of all its threads but those that the
 * program could see, so of its compilers above all. The JVM's own count of what it has compiled
 * grows when a compilation ends, and one may take seconds beside ranks that want both cores. Zero
 * where the system does not tell. Owned by the thread that calls it.
 */
final class CompilerWatch {
    /** Some ticks of the system's clock, which is what the time of a process is counted in. */
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(50);

    /** A tick may fall to anybody; a compiler at work takes several. */
    private static final long QUIET_NANOS = TimeUnit.MILLISECONDS.toNanos(15);

    private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private final OperatingSystemMXBean system =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** Nanoseconds of processor time since the JVM began. */
    long spentNanos() {
        long process = system.getProcessCpuTime();
        if (process < 0 || !threads.isThreadCpuTimeEnabled()) {
            return 0;
        }
        long visible = 0;
        for (long nanos : threads.getThreadCpuTime(threads.getAllThreadIds())) {
            visible += Math.max(0, nanos); // a thread that has just ended has none
        }
        return process - visible;
    }

    /** Leaves the compilers the cores until they have nothing to do; blocks so long at most. */
    void awaitQuiet(long nanosMax) {
        boolean isBusy = true;
        for (long left = nanosMax; isBusy && left > 0; left -= LOOK_NANOS) {
            long before = spentNanos();
            LockSupport.parkNanos(this, Math.min(left, LOOK_NANOS));
            isBusy = spentNanos() - before > QUIET_NANOS;
        }
    }
}
