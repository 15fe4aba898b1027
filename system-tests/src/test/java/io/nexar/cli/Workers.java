package io.nexar.cli;

import java.nio.file.Path;
import java.util.List;

/** Programs that call {@code Nexar.join()}, started without the launcher's help. */
public final class Workers {

    private Workers() {}

    /** The command line of a program of this class path. */
    public static List<String> command(String mainClass) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass);
    }
}
