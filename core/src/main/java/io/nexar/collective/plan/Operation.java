package io.nexar.collective.plan;

/** The collectives. The codes are part of a call's fingerprint: append, never renumber. */
public enum Operation {
    BARRIER("barrier", false, false),
    BROADCAST("broadcast", false, true),
    ALL_REDUCE("allReduce", true, false),
    REDUCE_SCATTER("reduceScatter", true, false),
    ALL_GATHER("allGather", false, false);

    private final String methodName;
    private final boolean reducing;
    private final boolean rooted;

    Operation(String methodName, boolean reducing, boolean rooted) {
        this.methodName = methodName;
        this.reducing = reducing;
        this.rooted = rooted;
    }

    /** The name that callers know it by. */
    public String methodName() {
        return methodName;
    }

    public boolean isReducing() {
        return reducing;
    }

    public boolean isRooted() {
        return rooted;
    }
}
