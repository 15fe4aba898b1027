package io.nexar.cli;

import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** How a bundled example is started: with this Java and this class path. */
final class JavaCommand {

    private JavaCommand() {}

    /** Half a gibibyte: a quarter of the memory, the JVM's choice, is too much for many ranks. */
    private static final long HEAP_MEBIBYTES = 512;

    /** What makes reductions fast, where Java has it; it prints a warning for it. */
    private static final String VECTORS = "jdk.incubator.vector";

    /**
     * Netty wraps one buffer in 128 to see whether it is lost, which makes QUIC's calls of all the
     * others slower too. Who wants that of the ranks asks for it of the command line's own Java.
     */
    private static final String LEAKS = "io.netty.leakDetection.level";

    static List<String> ofRank(String mainClass) {
        return List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                // Several ranks on few cores: the serial collector has no threads of its own.
                "-XX:+UseSerialGC",
                "-Xmx" + HEAP_MEBIBYTES + "m",
                "-Xshare:auto",
                "-D" + LEAKS + "=" + System.getProperty(LEAKS, "disabled"),
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                mainClass);
    }

    /** The same with so much memory more for data: in arrays, or outside the heap. */
    static List<String> withData(List<String> javaCommand, long mebibytes, boolean isOnHeap) {
        List<String> command = new ArrayList<>(javaCommand);
        String size = HEAP_MEBIBYTES + mebibytes + "m";
        // Of two flags that say the same thing, Java takes the last one.
        int place = command.indexOf("-cp");
        command.add(place, isOnHeap ? "-Xmx" + size : "-XX:MaxDirectMemorySize=" + size);
        return command;
    }

    /** The same Java with its Vector API, if it has one. */
    static List<String> withVectors(List<String> javaCommand) {
        List<String> command = new ArrayList<>(javaCommand);
        if (ModuleFinder.ofSystem().find(VECTORS).isPresent()) {
            command.addAll(1, List.of("--add-modules", VECTORS));
        }
        return command;
    }
}
