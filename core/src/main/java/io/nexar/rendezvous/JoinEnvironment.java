package io.nexar.rendezvous;

import io.nexar.ConfigurationException;
import io.nexar.NexarConfig;
import io.nexar.security.JoinString;
import io.nexar.security.Token;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.regex.Pattern;

/**
 * What a process is told about its job by whoever started it.
 *
 * @param seed where to join; null: this process is a world of one
 * @param rank the rank to ask for, or {@link JoinMessage#ANY}
 * @param worldSize the size to expect, or {@link JoinMessage#ANY}
 */
public record JoinEnvironment(@Nullable JoinString seed, int rank, int worldSize) {

    /** {@code host:port} alone, which many launchers give for their rendezvous. */
    private static final Pattern HOST_AND_PORT = Pattern.compile("[^/?@ ]+:[0-9]{1,5}");

    /**
     * From the settings, and for rank and size, where these are not set, from another launcher's
     * variables. The seed is always ours: no other launcher knows its key.
     *
     * @param environment all variables of the process
     * @throws ConfigurationException if a value is wrong, or if there is more than one rank and no
     *     seed to meet at
     */
    public static JoinEnvironment of(NexarConfig config, Map<String, String> environment) {
        LauncherVariables launcher = LauncherVariables.find(environment);
        int rank = number(config.get("nexar.rank"), launcher == null ? -1 : launcher.rank());
        int size =
                number(config.get("nexar.worldSize"), launcher == null ? -1 : launcher.worldSize());
        String seed = config.get("nexar.seed");
        if (!seed.isEmpty()) {
            return new JoinEnvironment(joinString(seed, config.get("nexar.token")), rank, size);
        }
        if (size > 1 || rank > 0) {
            String who = launcher == null ? "the settings" : launcher.launcher() + "'s variables";
            throw ConfigurationException.conflict(
                    "nexar.seed",
                    "",
                    "not set, but "
                            + who
                            + " give this process rank "
                            + rank
                            + " of "
                            + size
                            + ": start `nexar seed` once for the job and set NEXAR_SEED, for all"
                            + " ranks, to the join string that it prints");
        }
        return new JoinEnvironment(null, JoinMessage.ANY, JoinMessage.ANY);
    }

    private static JoinString joinString(String text, String token) {
        if (HOST_AND_PORT.matcher(text).matches()) {
            throw ConfigurationException.conflict(
                    "nexar.seed",
                    text,
                    "does not say whom to trust there: give the whole join string that the seed"
                            + " prints, nexar://host:port/job?pin=...; its token may stand apart in"
                            + " NEXAR_TOKEN");
        }
        return token.isEmpty()
                ? JoinString.parse(text)
                : JoinString.parse(text, Token.parse(token));
    }

    private static int number(String text, int otherwise) {
        return text.isEmpty()
                ? otherwise
                : Integer.parseInt(text); // a setting that exists is valid
    }
}
