package io.nexar.runtime;

import io.nexar.MemberId;
import io.nexar.communicator.OpenCommunicators;
import io.nexar.fabric.Fabric;
import io.nexar.fabric.Progress;
import io.nexar.observe.CommunicatorReport;
import io.nexar.observe.LinkReport;
import io.nexar.observe.ProcessReport;
import io.nexar.observe.RankReport;
import io.nexar.observe.RankReport.Activity;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Says what a rank is doing, for somebody who looks at the job. It runs in a thread that must not
 * be held up, so it waits for the rank's state only so long; and it costs the rank a moment of its
 * progress lock, so that one who asks again and again gets the same report for a while.
 */
final class RankReporter {
    /**
     * For the progress lock: a pass holds it for microseconds, with large reductions for a few
     * milliseconds. More is a machine in trouble, which the report then says.
     */
    private static final Duration LOCK_WAIT = Duration.ofMillis(500);

    /** More than fit into a report: the lock is not held for what nobody sees. */
    private static final int COMMUNICATORS_MAX = 1000;

    /** Ten looks a second at most, whoever asks. */
    private static final Duration FRESH = Duration.ofMillis(100);

    private final Progress progress;
    private final Fabric fabric;
    private final OpenCommunicators open;
    private final List<MemberId> members;
    private final int self;
    private final long startNanos = System.nanoTime();
    private @Nullable RankReport last;
    private long lastNanos;

    /** How long ago another rank was heard of; below 0 where that is not known. */
    interface Hearing {
        long heardNanosAgo(MemberId member);
    }

    RankReporter(
            Progress progress,
            Fabric fabric,
            OpenCommunicators open,
            List<MemberId> members,
            int self) {
        this.progress = progress;
        this.fabric = fabric;
        this.open = open;
        this.members = members;
        this.self = self;
    }

    synchronized RankReport report(Hearing hearing) {
        RankReport known = last;
        if (known != null && System.nanoTime() - lastNanos < FRESH.toNanos()) {
            return known;
        }
        RankReport report = look(hearing);
        last = report;
        lastNanos = System.nanoTime();
        return report;
    }

    private RankReport look(Hearing hearing) {
        ProcessReport process = process();
        long[] heard = new long[members.size()]; // before the lock: it has a lock of its own
        for (int rank = 0; rank < heard.length; rank++) {
            heard[rank] = rank == self ? 0 : hearing.heardNanosAgo(members.get(rank));
        }
        try {
            if (!progress.tryLock(LOCK_WAIT.toNanos())) {
                return RankReport.busy(process);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return RankReport.busy(process);
        }
        try {
            List<CommunicatorReport> communicators = open.reports(COMMUNICATORS_MAX);
            int omitted = open.count() - communicators.size();
            return new RankReport(activity(), process, communicators, omitted, links(heard), 0);
        } finally {
            progress.unlock();
        }
    }

    private Activity activity() {
        if (fabric.isParting()) {
            return Activity.CLOSING;
        }
        return progress.hasCaller() ? Activity.IN_CALL : Activity.IN_USER_CODE;
    }

    /** Those that are gone first, then the longest silent: if some don't fit, let it be others. */
    private List<LinkReport> links(long[] heard) {
        List<LinkReport> links = new ArrayList<>();
        for (int rank = 0; rank < members.size(); rank++) {
            if (rank != self) {
                links.add(fabric.report(members.get(rank), rank, Math.max(-1, heard[rank])));
            }
        }
        links.sort(
                Comparator.comparing(LinkReport::isUp)
                        .thenComparing(LinkReport::heardNanosAgo, Comparator.reverseOrder()));
        return links;
    }

    private ProcessReport process() {
        Runtime runtime = Runtime.getRuntime();
        return new ProcessReport(
                runtime.totalMemory() - runtime.freeMemory(),
                runtime.maxMemory(),
                threads(),
                System.nanoTime() - startNanos);
    }

    /** Counted by the thread groups: the module that counts exactly is not everywhere. */
    private static int threads() {
        ThreadGroup group = Thread.currentThread().getThreadGroup();
        while (group.getParent() != null) {
            group = group.getParent();
        }
        return group.activeCount();
    }
}
