package io.nexar.runtime;

import io.nexar.NexarConfig;
import io.nexar.rendezvous.JoinEnvironment;
import io.nexar.spi.NexarRuntime;

import java.util.Map;

/** Turns settings into a running member. */
public final class Entry {
    private static final System.Logger LOG = System.getLogger("io.nexar");

    private Entry() {}

    /**
     * Joins the job that the settings name, or makes a world of one.
     *
     * @param environment where other launchers say rank and size
     */
    public static NexarRuntime join(NexarConfig config, Map<String, String> environment) {
        LOG.log(System.Logger.Level.DEBUG, () -> "settings: " + config);
        JoinEnvironment place = JoinEnvironment.of(config, environment);
        return place.seed() == null ? new LoneProcess(config) : JoinedProcess.join(config, place);
    }
}
