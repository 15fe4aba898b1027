package io.nexar.rendezvous;

import io.nexar.security.Token;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/**
 * What a seed holds its workers to.
 *
 * @param settings the options that must agree; null takes them from the first worker that is
 *     admitted, for as long as a member is there
 * @param formationNanos from the seed's start to the moment when every rank must be linked
 * @param helloNanos how long a connection may take to say who it is
 */
public record SeedRules(
        String job,
        Token token,
        int worldSize,
        @Nullable Map<String, String> settings,
        long formationNanos,
        long helloNanos) {

    /**
     * How long each worker may keep the seed busy when all dial at once: a handshake and a
     * certificate cost about 3 ms of a warm core, and three times that while the JVM is cold.
     */
    static final long TURN_NANOS = 10_000_000L;

    public SeedRules {
        if (worldSize < 1 || worldSize > JoinBounds.WORLD_SIZE_MAX) {
            throw new IllegalArgumentException(
                    "world size " + worldSize + " is not within 1 to " + JoinBounds.WORLD_SIZE_MAX);
        }
        if (settings != null) {
            settings = Map.copyOf(settings);
        }
    }

    /**
     * How long a connection may take to say who it is. An honest worker needs milliseconds, and ten
     * seconds where more processes than cores start at once: 30 s are twice what it gives itself
     * for a dial. In a big world all wait for their turn as well.
     */
    static long helloNanosFor(int worldSize) {
        return 30_000_000_000L + worldSize * TURN_NANOS;
    }

    /**
     * How many connections may be open that have not said who they are: every rank may dial at
     * once, and 256 strangers beside them. Above that a connection is closed at once; an honest
     * worker dials again.
     */
    int strangersMax() {
        return worldSize + 256;
    }
}
