package io.nexar;

/** How far an error reaches: what is not usable any more. Everything outside of it still is. */
public enum Scope {
    /** Only this call failed; it may be tried again. */
    OPERATION,
    /** One peer can't be reached any more; the others can. */
    PEER,
    /** The communicator is broken: call {@code shrink()}, or close it and use another. */
    COMMUNICATOR,
    /** The runtime of this process is not usable: leave. */
    PROCESS
}
