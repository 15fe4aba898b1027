package io.nexar.rendezvous;

/** How far a job has come, as its seed sees it. */
public enum SeedPhase {
    /** Workers are coming. */
    GATHERING,
    /** Every rank is there; they dial each other. */
    LINKING,
    /** Every rank reaches every other. */
    RUNNING,
    /** Every rank is gone. */
    ENDED,
    /** The job did not form. */
    FAILED
}
