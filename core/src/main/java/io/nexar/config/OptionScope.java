package io.nexar.config;

/** Whom an option concerns. */
public enum OptionScope {
    /** All processes of the job must have the same value: it is part of the fingerprint. */
    JOB,
    /** This process's own affair. */
    PROCESS
}
