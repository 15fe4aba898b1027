package io.nexar.cli.launch;

/** What {@link JobMachine} wants done. */
sealed interface Effect {

    /** Ask every process of the rank's group to end (SIGTERM). */
    record Terminate(int rank) implements Effect {}

    /** End every process of the rank's group (SIGKILL). */
    record Kill(int rank) implements Effect {}

    /**
     * The rank's main process is gone: end what it left behind in its group, and forget the group.
     */
    record Release(int rank) implements Effect {}

    /** The job is over. {@code complaint} is empty if all went well. */
    record Over(int exitCode, String complaint) implements Effect {}
}
