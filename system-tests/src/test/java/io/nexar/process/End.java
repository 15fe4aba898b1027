package io.nexar.process;

/** How a rank ends although others still need it, and what its launcher says of it. */
enum End {
    RETURNS("returns from `main` without `close()`", 1, false),
    THROWS("throws, and nothing closes its `Nexar`", 1, true),
    THROWS_IN_TRY("throws in `try (Nexar nexar = ...)`", 1, false),
    EXITS("calls `System.exit(3)`", 3, true),
    KILLED("is killed with SIGKILL", 137, true);

    private final String told;
    private final int launcherCode;
    private final boolean isBlamed;

    End(String told, int launcherCode, boolean isBlamed) {
        this.told = told;
        this.launcherCode = launcherCode;
        this.isBlamed = isBlamed;
    }

    String told() {
        return told;
    }

    /** The launcher's exit code if every rank that gets an error fails of it with code 1. */
    int launcherCode() {
        return launcherCode;
    }

    /** Whether the launcher names this rank; otherwise whichever rank failed first. */
    boolean isBlamed() {
        return isBlamed;
    }

    /** As the table says it. */
    String complaint() {
        String what = "exited with code " + launcherCode + (this == KILLED ? " (SIGKILL)" : "");
        return isBlamed ? "`rank R (pid P) " + what + "`" : "the rank that failed first";
    }
}
