package io.nexar.traffic;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of {@link TrafficProgram}. */
final class Workers {
    private Workers() {}

    static List<String> command(String... scenario) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "-Xmx256m"));
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(List.of("-cp", System.getProperty("java.class.path")));
        command.add(TrafficProgram.class.getName());
        command.addAll(List.of(scenario));
        return command;
    }
}
