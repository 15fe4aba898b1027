package io.nexar.cli;

import java.nio.file.Path;
import java.util.List;

/** How a bundled example is started: with this Java and this class path. */
final class JavaCommand {

    private JavaCommand() {}

    static List<String> ofRank(String mainClass) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Several ranks on few cores: the serial collector has no threads of its own.
                "-XX:+UseSerialGC",
                // A quarter of the memory, the JVM's own choice, is too much for each of many
                // ranks.
                "-Xmx512m",
                "-Xshare:auto",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass);
    }
}
