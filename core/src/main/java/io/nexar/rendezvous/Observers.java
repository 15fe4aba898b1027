package io.nexar.rendezvous;

import io.nexar.rendezvous.JoinMessage.Observation;
import io.nexar.rendezvous.JoinMessage.Observation.Answer;
import io.nexar.rendezvous.JoinMessage.Observation.Ask;
import io.nexar.rendezvous.JoinMessage.Observation.Look;
import io.nexar.rendezvous.JoinMessage.Observation.Looked;
import io.nexar.rendezvous.JoinMessage.Observation.Observed;
import io.nexar.rendezvous.JoinMessage.Observation.Report;
import io.nexar.rendezvous.JoinMessage.Observation.Rows;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The seed's side of those who look at a job: who knows the token may, a few at a time. Driven by
 * {@link SeedMachine}, in its thread.
 *
 * <p>An observer looks at one page of members after the other. For a page it gets their rows at
 * once; each member of a running job that is there is asked for its report, which is handed on as
 * it comes; the page ends when all have answered, or after {@link #ANSWER_NANOS}. Nothing is kept
 * of a report, and the reports of a page together stay below what a connection may hold back, so
 * that an observer that reads slowly costs no more than that and stops nobody.
 */
final class Observers {

    /** People who look at one job at once, and a script or two. */
    static final int OBSERVERS_MAX = 8;

    /** A member answers within milliseconds, unless it is stopped or in a long pause. */
    static final long ANSWER_NANOS = 2_000_000_000L;

    /** How long an observer may look at nothing: it holds one of a few places. */
    static final long IDLE_NANOS = 30_000_000_000L;

    /** Members of one page: a job with no more needs no second. */
    static final int PAGE_MEMBERS = 512;

    /** The reports of a page: half of what may wait for an observer that reads nothing. */
    private static final int PAGE_BYTES = 4 * 1024 * 1024;

    private static final class Observer {
        final Joiner joiner;
        final Set<Long> unanswered = new HashSet<>();
        boolean isLooking;
        long query;
        int bytesMax;
        int next;
        long answerDeadlineNanos;
        long idleDeadlineNanos;

        Observer(Joiner joiner, long idleDeadlineNanos) {
            this.joiner = joiner;
            this.idleDeadlineNanos = idleDeadlineNanos;
        }

        long deadlineNanos() {
            return isLooking ? answerDeadlineNanos : idleDeadlineNanos;
        }
    }

    private final SeedRules rules;
    private final SeedRegister register;
    private final MemberRows rows;
    private final Map<Long, Observer> observers = new HashMap<>();
    private SeedPhase phase = SeedPhase.GATHERING;
    private long phaseBeganNanos;
    private long nextQuery;

    Observers(SeedRules rules, SeedRegister register, long nowNanos) {
        this.rules = rules;
        this.register = register;
        this.rows = new MemberRows(register);
        this.phaseBeganNanos = nowNanos;
    }

    /** Why this stranger may not look, or null. */
    @Nullable String refusal(Observation.Observe observe) {
        String refusal = AdmissionCheck.refusal(observe.job(), observe.token(), rules);
        if (refusal == null && observers.size() >= OBSERVERS_MAX) {
            return OBSERVERS_MAX + " observers look at the job already; try again in a while";
        }
        return refusal;
    }

    /** Takes in a stranger that has not been refused. */
    void admit(Joiner stranger, JobView job) {
        notePhase(job);
        register.forget(stranger);
        observers.put(stranger.connection, new Observer(stranger, job.nowNanos() + IDLE_NANOS));
        register.send(
                stranger,
                new Observed(
                        job.phase(),
                        rules.worldSize(),
                        Math.max(0, job.nowNanos() - phaseBeganNanos),
                        job.formationNanosLeft(),
                        job.failure()));
    }

    /** A message of a connection that is no worker's; one that is being closed is none of ours. */
    void handleMessage(long connection, JoinMessage message, JobView job) {
        Observer observer = observers.get(connection);
        if (observer == null) {
            return;
        }
        if (message instanceof Look look && !observer.isLooking) {
            look(observer, look.first(), job);
        } else {
            close(observer, message.getClass().getSimpleName() + " is not expected");
        }
    }

    /** A member has answered. What comes too late, or is longer than asked for, is dropped. */
    void handleReport(Joiner member, Report report) {
        for (Observer observer : List.copyOf(observers.values())) {
            if (observer.isLooking
                    && observer.query == report.query()
                    && report.report().length <= observer.bytesMax
                    && observer.unanswered.remove(member.memberId)) {
                register.send(observer.joiner, new Answer(member.memberId, report.report()));
                endIfAnswered(observer);
            }
        }
    }

    /** Bytes came that are no message. */
    void handleUndecodable(long connection, String reason) {
        Observer observer = observers.get(connection);
        if (observer != null) {
            close(observer, reason);
        }
    }

    void handleClosed(long connection) {
        observers.remove(connection);
    }

    /** A member is gone: nobody waits for its answer. */
    void handleDeparted(Joiner member) {
        for (Observer observer : List.copyOf(observers.values())) {
            if (observer.isLooking && observer.unanswered.remove(member.memberId)) {
                endIfAnswered(observer);
            }
        }
    }

    /** Time has passed. */
    void handleTick(JobView job) {
        notePhase(job);
        for (Observer observer : List.copyOf(observers.values())) {
            if (job.nowNanos() - observer.deadlineNanos() < 0) {
                continue;
            }
            if (observer.isLooking) {
                observer.unanswered.clear();
                endIfAnswered(observer);
            } else {
                close(observer, "it looked at nothing for a while");
            }
        }
    }

    /** How long until the next {@link #handleTick} can matter. */
    long nanosToNextDeadline(long nowNanos) {
        long left = Long.MAX_VALUE;
        for (Observer observer : observers.values()) {
            left = Math.min(left, observer.deadlineNanos() - nowNanos);
        }
        return left;
    }

    private void look(Observer observer, int first, JobView job) {
        List<MemberRow> all = rows.all(job);
        int from = Math.min(first, all.size());
        int to = Math.min(from + PAGE_MEMBERS, all.size());
        List<MemberRow> page = all.subList(from, to);
        for (int part = 0; part < page.size(); part += ObservationCodec.ROWS_MAX) {
            int end = Math.min(part + ObservationCodec.ROWS_MAX, page.size());
            register.send(observer.joiner, new Rows(page.subList(part, end)));
        }
        observer.isLooking = true;
        observer.next = to < all.size() ? to : JoinMessage.ANY;
        observer.query = nextQuery++;
        observer.answerDeadlineNanos = job.nowNanos() + ANSWER_NANOS;
        observer.idleDeadlineNanos = job.nowNanos() + IDLE_NANOS;
        ask(observer, page);
        endIfAnswered(observer);
    }

    private void ask(Observer observer, List<MemberRow> page) {
        for (MemberRow row : page) {
            if (row.standing() == MemberRow.Standing.RUNNING) {
                observer.unanswered.add(row.memberId());
            }
        }
        observer.bytesMax =
                Math.clamp(
                        PAGE_BYTES / Math.max(1, observer.unanswered.size()),
                        ReportCodec.REPORT_BYTES_MIN,
                        ReportCodec.REPORT_BYTES_MAX);
        for (Joiner member : register.members()) {
            if (observer.unanswered.contains(member.memberId)) {
                register.send(member, new Ask(observer.query, observer.bytesMax));
            }
        }
    }

    private void endIfAnswered(Observer observer) {
        if (observer.unanswered.isEmpty()) {
            observer.isLooking = false;
            register.send(observer.joiner, new Looked(observer.next));
        }
    }

    /** A tick late at most, which nobody sees. */
    private void notePhase(JobView job) {
        if (phase != job.phase()) {
            phase = job.phase();
            phaseBeganNanos = job.nowNanos();
        }
    }

    private void close(Observer observer, String reason) {
        register.close(observer.joiner.connection, reason);
        observers.remove(observer.joiner.connection);
    }
}
