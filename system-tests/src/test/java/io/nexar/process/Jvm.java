package io.nexar.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Command lines of the programs that tests fork. */
final class Jvm {
    private Jvm() {}

    /** A program of this class path. The first compiler alone: it is there sooner. */
    static List<String> command(Class<?> program, String... arguments) {
        return command(List.of("-XX:TieredStopAtLevel=1", "-Xmx256m"), program, arguments);
    }

    static List<String> command(List<String> flags, Class<?> program, String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of("-XX:+UseSerialGC", "--enable-native-access=ALL-UNNAMED"));
        command.add("-Dio.netty.native.workdir=" + natives());
        command.addAll(flags);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), program.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    /** A flag by which tests that run often take turns: shared memory, TCP, QUIC. */
    static String transport(int turn) {
        return "-Dnexar.transport=" + List.of("shm", "tcp", "quic").get(turn % 3);
    }

    /**
     * Where Netty unpacks its native part, which it deletes once that is loaded: a process that is
     * killed in between leaves it.
     */
    static Path natives() {
        try {
            return Files.createDirectories(Path.of("target", "natives").toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same, deaf to SIGTERM: what the program would say after it is said. */
    static List<String> deafToTerm(List<String> command) {
        List<String> deaf = new ArrayList<>();
        // A JVM leaves a signal alone that was ignored when it started.
        deaf.addAll(List.of("sh", "-c", "trap '' TERM; exec \"$@\"", "x"));
        deaf.addAll(command);
        return deaf;
    }
}
