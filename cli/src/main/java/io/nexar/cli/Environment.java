package io.nexar.cli;

/** The one place of the command line that looks at the environment. */
final class Environment {

    private Environment() {}

    static String searchPath() {
        String path = System.getenv("PATH");
        // The default of POSIX systems when nobody says: what getconf PATH prints.
        return path == null ? "/bin:/usr/bin" : path;
    }

    /** See no-color.org: any value but the empty one turns colours off. */
    static boolean wantsColours() {
        String noColour = System.getenv("NO_COLOR");
        return noColour == null || noColour.isEmpty();
    }
}
