package io.nexar.rendezvous;

/**
 * The seed's part in a job that runs: it hears of deaths and goodbyes and tells all others. Driven
 * by {@link SeedMachine}, in its thread.
 */
final class RunningJob {

    private final SeedRegister register;
    private boolean isOver;

    RunningJob(SeedRegister register) {
        this.register = register;
    }

    /** Whether every rank is gone. */
    boolean isOver() {
        return isOver;
    }

    /** The owner knows that a rank's process is over. */
    void handleExit(int rank, String reason) {
        for (Joiner member : register.members()) {
            if (member.rank == rank) {
                register.close(member.connection, reason);
                register.forget(member);
                depart(member, false, reason);
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

    /** A member is gone and forgotten; the others hear it. */
    void depart(Joiner member, boolean orderly, String reason) {
        register.sendAll(new JoinMessage.Departed(member.memberId, member.rank, orderly, reason));
        register.tell(new SeedEvent.Departed(member.memberId, member.rank, orderly, reason));
        if (register.memberCount() == 0) {
            isOver = true;
            register.tell(new SeedEvent.Ended());
        }
    }
}
