package io.nexar.cli;

import io.nexar.cli.launch.JobOutput;

import java.io.Console;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The launcher's two streams as raw bytes, and whether a person looks at them. */
final class Terminal {

    private Terminal() {}

    static JobOutput.Target stdout() {
        return new JobOutput.Target(new FileOutputStream(FileDescriptor.out), isTerminal(1));
    }

    static JobOutput.Target stderr() {
        return new JobOutput.Target(new FileOutputStream(FileDescriptor.err), isTerminal(2));
    }

    /**
     * Linux says it for each stream; elsewhere the JDK says it for stdin and stdout together, and
     * stderr counts as none.
     */
    @SuppressWarnings("SystemConsoleNull") // null where standard input or output is no terminal
    private static boolean isTerminal(int descriptor) {
        Path link = Path.of("/proc/self/fd/" + descriptor);
        if (Files.isSymbolicLink(link)) {
            try {
                String device = Files.readSymbolicLink(link).toString();
                return device.startsWith("/dev/pts/") || device.startsWith("/dev/tty");
            } catch (IOException e) {
                return false;
            }
        }
        Console console = System.console();
        return descriptor == 1 && console != null && console.isTerminal();
    }
}
