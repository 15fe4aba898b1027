package io.nexar.process;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Nexar;
import io.nexar.NexarException;

import java.io.IOException;

/**
 * Rank 1 departs as the test says ({@link How}) and says {@code departing MICROS}; rank 0 waits for
 * a message of it and says {@code heard MICROS CLASS MESSAGE}: when, and what the call ended with.
 */
final class Departing {
    /** Ways to end a JVM. */
    enum How {
        RETURNS,
        EXITS,
        GETS_SIGTERM,
        CLOSES_IN_A_HOOK_OF_ITS_OWN,
        ABORTS_AND_EXITS
    }

    private Departing() {}

    public static void main(String[] arguments) throws Exception {
        Say.sayWho();
        Nexar nexar = Nexar.join();
        Communicator world = nexar.world();
        world.barrier();
        if (world.rank() == 0) {
            hear(nexar);
        } else {
            depart(nexar, How.valueOf(arguments[0]));
        }
    }

    private static void hear(Nexar nexar) {
        try (nexar) {
            Say.say("waiting");
            nexar.world().receive(DataBuffer.of(new int[1]), 1, 1);
        } catch (NexarException ended) {
            Say.say("heard", Say.micros(), ended.getClass().getSimpleName(), ended.getMessage());
        }
        Say.reportLeaks();
    }

    private static void depart(Nexar nexar, How how) throws IOException {
        if (how == How.CLOSES_IN_A_HOOK_OF_ITS_OWN) {
            Runtime.getRuntime().addShutdownHook(new Thread(nexar::close));
        }
        Say.say("ready");
        if (System.in.read() < 0) {
            throw new IOException("nobody said when to depart");
        }
        Say.say("departing", Say.micros());
        switch (how) {
            case RETURNS, CLOSES_IN_A_HOOK_OF_ITS_OWN -> {}
            case EXITS -> System.exit(3);
            case GETS_SIGTERM ->
                    nexar.world().receive(DataBuffer.of(new int[1]), 0, 1); // until the signal
            case ABORTS_AND_EXITS -> {
                nexar.abort("the input is bad");
                System.exit(4);
            }
        }
    }
}
