package io.nexar.collective.plan.cost;

import java.util.Locale;

/** How far apart two ranks are. */
public enum LinkClass {
    /** Ranks of one JVM, linked by method calls. */
    JVM,
    /** Processes of one host. */
    HOST,
    /** Hosts that are close to each other. */
    RACK,
    /** Hosts that are not. */
    FAR;

    /** Its name in a file. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether what is sent passes the wire that a host's ranks share. */
    public boolean leavesHost() {
        return this == RACK || this == FAR;
    }
}
