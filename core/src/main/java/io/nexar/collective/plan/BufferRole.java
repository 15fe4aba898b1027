package io.nexar.collective.plan;

/** The three buffers that a plan's steps work on. */
public enum BufferRole {
    /** What the caller gives: read only, unless the caller gave the same memory as the output. */
    INPUT,
    /** What the caller gets. */
    OUTPUT,
    /** The engine's own memory, of undefined content at the start. */
    SCRATCH;

    private static final BufferRole[] ALL = values();

    /** Like {@link #values()} without its copy. */
    public static BufferRole of(int ordinal) {
        return ALL[ordinal];
    }
}
