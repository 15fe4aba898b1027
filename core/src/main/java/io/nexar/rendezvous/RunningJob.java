package io.nexar.rendezvous;

import java.util.Optional;

/**
 * The seed's part in a job that runs: it hears of deaths and goodbyes and tells all others. Driven
 * by {@link SeedMachine}, in its thread.
 */
final class RunningJob {

    private final SeedRegister register;
    private final Observers observers;
    private boolean isOver;

    RunningJob(SeedRegister register, Observers observers) {
        this.register = register;
        this.observers = observers;
    }

    /** Whether every rank is gone. */
    boolean isOver() {
        return isOver;
    }

    /** A message that has its place while the job runs. Returns whether it was one. */
    boolean handleMessage(Joiner from, JoinMessage message) {
        switch (message) {
            case JoinMessage.Ask ask -> handleAsk(from, ask.memberId());
            case JoinMessage.Pong _ -> handlePong(from);
            case JoinMessage.Lost lost when lost.memberId() == from.memberId ->
                    handleGone(from, lost.reason());
            case JoinMessage.Lost lost -> handleLost(lost.memberId(), lost.reason());
            default -> {
                return false;
            }
        }
        return true;
    }

    /** One ping is enough for all who ask; TCP sees to its arrival. */
    private void handleAsk(Joiner from, long memberId) {
        member(memberId)
                .ifPresent(about -> {
                    if (about.askers.isEmpty()) {
                        register.send(about, new JoinMessage.Ping());
                    }
                    about.askers.add(from);
                });
    }

    private void handlePong(Joiner from) {
        for (Joiner asker : from.askers) {
            register.send(asker, new JoinMessage.Answers(from.memberId));
        }
        from.askers.clear();
    }

    private void handleLost(long memberId, String reason) {
        member(memberId)
                .ifPresent(lost -> {
                    register.send(lost, new JoinMessage.Expelled(reason));
                    handleGone(lost, reason);
                });
    }

    private void handleGone(Joiner member, String reason) {
        register.close(member.connection, reason);
        register.forget(member);
        depart(member, false, reason);
    }

    private Optional<Joiner> member(long memberId) {
        return register.members().stream()
                .filter(member -> member.memberId == memberId)
                .findFirst();
    }

    /** The owner knows that a rank's process is over. */
    void handleExit(int rank, String reason) {
        for (Joiner member : register.members()) {
            if (member.rank == rank) {
                handleGone(member, reason);
            }
        }
    }

    /** Somebody ends the job: a rank, or with {@link JoinMessage#ANY} the seed's owner. */
    void abort(int rank, String reason) {
        for (Joiner member : register.members()) {
            if (rank == JoinMessage.ANY || member.rank != rank) {
                register.send(member, new JoinMessage.Abort(rank, reason));
            }
        }
        register.tell(new SeedEvent.Aborted(rank, reason));
    }

    /** A member is gone and forgotten; the others hear it, and no observer waits for it. */
    void depart(Joiner member, boolean orderly, String reason) {
        observers.handleDeparted(member);
        register.addDeparture(member, orderly, reason);
        register.sendAll(new JoinMessage.Departed(member.memberId, member.rank, orderly, reason));
        register.tell(new SeedEvent.Departed(member.memberId, member.rank, orderly, reason));
        if (register.memberCount() == 0) {
            isOver = true;
            register.tell(new SeedEvent.Ended());
        }
    }
}
