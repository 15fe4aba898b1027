package io.nexar.process;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Nexar;
import io.nexar.NexarException;
import io.nexar.PeerLeftException;
import io.nexar.PeerLostException;
import io.nexar.ReduceOp;
import io.nexar.RendezvousException;
import io.nexar.Request;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * One rank ends in some way, the others wait for it in a call each. Started as {@code END VICTIM},
 * or {@code END VICTIM formation}, where the victim ends before it joins. Says {@code ending
 * MICROS} there, and {@code outcome WAIT MICROS CLASS RANK MESSAGE} on the others, which then fail
 * of the error as any program does.
 */
final class Ending {
    private static final int TAG_READY = 1;

    private static final int TAG_NEVER = 2;

    private final End end;
    private final int victim;

    private Ending(End end, int victim) {
        this.end = end;
        this.victim = victim;
    }

    public static void main(String[] arguments) throws Exception {
        Ending ending = new Ending(End.valueOf(arguments[0]), Integer.parseInt(arguments[1]));
        Say.sayWho();
        if (arguments.length > 2) {
            ending.inFormation();
        } else {
            ending.inJob();
        }
    }

    private void inFormation() throws Exception {
        if (System.getenv("NEXAR_RANK").equals("" + victim)) {
            Say.say("joining");
            if (System.in.read() < 0) {
                throw new IOException("nobody said that the others are joining");
            }
            endNow();
            return;
        }
        Logger log = sayOnceAdmitted();
        try (Nexar nexar = Nexar.join()) {
            log.fine("joined");
            Say.say("outcome", Wait.FORMATION, Say.micros(), "none", nexar.world().size());
        } catch (RendezvousException failure) {
            int named = failure.missingRanks().contains(victim) ? victim : -1;
            tell(Wait.FORMATION, failure, named);
            throw failure;
        }
    }

    /** A worker writes into its log what it advertises once the seed has admitted it. */
    private static Logger sayOnceAdmitted() {
        Logger log = Logger.getLogger("io.nexar.rendezvous.JoinClient");
        log.setLevel(Level.ALL);
        log.addHandler(
                new Handler() {
                    @Override
                    public void publish(LogRecord line) {
                        if (line.getMessage().contains("advertises")) {
                            Say.say("joining");
                        }
                    }

                    @Override
                    public void flush() {
                        // Each line is out already.
                    }

                    @Override
                    public void close() {
                        // There is nothing to close.
                    }
                });
        return log;
    }

    private void inJob() throws InterruptedException {
        Nexar nexar = Nexar.join();
        if (nexar.world().rank() == victim) {
            awaitOthers(nexar.world());
            if (end == End.THROWS_IN_TRY) {
                try (nexar) {
                    endNow();
                }
            }
            endNow();
        } else {
            try (nexar) {
                waitForIt(nexar);
            }
        }
    }

    private void awaitOthers(Communicator world) throws InterruptedException {
        for (int rank : ForkedJob.others(world.size(), victim)) {
            world.receive(DataBuffer.of(new int[1]), rank, TAG_READY);
        }
        // What they said last is said just before they wait.
        Idleness.pause(200);
    }

    private void endNow() throws InterruptedException {
        Say.say("ending", Say.micros());
        switch (end) {
            case RETURNS -> {
                // Nothing more to do.
            }
            case THROWS, THROWS_IN_TRY -> throw new IllegalStateException("this rank has failed");
            case EXITS -> System.exit(3);
            case KILLED -> new CountDownLatch(1).await();
        }
    }

    private void waitForIt(Nexar nexar) {
        Communicator world = nexar.world();
        int place = ForkedJob.others(world.size(), victim).indexOf(world.rank());
        Wait wait = Wait.values()[place];
        DataBuffer buffer = DataBuffer.of(new float[1000]);
        Request<?> request =
                wait == Wait.CLOSE ? world.async().allReduce(buffer, ReduceOp.SUM) : null;
        world.send(DataBuffer.of(new int[] {place}), victim, TAG_READY);
        try {
            if (request != null) {
                nexar.close();
                request.await();
            } else if (wait == Wait.RECEIVE) {
                world.receive(buffer, victim, TAG_NEVER);
            } else {
                world.allReduce(buffer, ReduceOp.SUM);
            }
            Say.say("outcome", wait, Say.micros(), "none");
        } catch (NexarException failure) {
            tell(wait, failure, rankIn(failure));
            throw failure;
        }
    }

    private static int rankIn(NexarException failure) {
        return switch (failure) {
            case PeerLostException lost -> lost.rank();
            case PeerLeftException left -> left.rank();
            default -> -1;
        };
    }

    private static void tell(Wait wait, NexarException failure, int rank) {
        String error = failure.getClass().getSimpleName();
        Say.say("outcome", wait, Say.micros(), error, rank, failure.getMessage());
    }
}
