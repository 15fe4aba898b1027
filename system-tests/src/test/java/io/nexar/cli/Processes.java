package io.nexar.cli;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** What Linux says of processes. */
public final class Processes {

    private Processes() {}

    /** All processes that have this text in their environment or among their arguments. */
    public static List<ProcessHandle> carrying(String text) {
        return ProcessHandle.allProcesses()
                .filter(process ->
                        arguments(process).contains(text) || environment(process).contains(text))
                .toList();
    }

    static String arguments(ProcessHandle process) {
        return read(process, "cmdline");
    }

    public static String environment(ProcessHandle process) {
        return read(process, "environ");
    }

    /** Empty for a process that is gone, a zombie, or somebody else's. */
    private static String read(ProcessHandle process, String file) {
        try {
            Path path = Path.of("/proc", "" + process.pid(), file);
            return new String(Files.readAllBytes(path), ISO_8859_1);
        } catch (IOException e) {
            return "";
        }
    }
}
