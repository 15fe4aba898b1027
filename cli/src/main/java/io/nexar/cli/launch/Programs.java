package io.nexar.cli.launch;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;

/** Finds programs as a shell does: a name with a slash is a path, any other is looked up. */
public final class Programs {

    private static final int EXIT_NOT_FOUND = 127;
    private static final int EXIT_NOT_EXECUTABLE = 126;

    private final String searchPath;

    /** {@code searchPath} is the value of PATH. */
    public Programs(String searchPath) {
        this.searchPath = searchPath;
    }

    Optional<Path> find(String name) {
        for (String folder : searchPath.split(File.pathSeparator, -1)) {
            // An empty entry is the current folder: POSIX, "Environment Variables".
            Path candidate = Path.of(folder.isEmpty() ? "." : folder, name);
            if (isProgram(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /**
     * Checks a command before anything is started for it.
     *
     * @throws LaunchException with the exit codes that a shell gives
     */
    public void require(String name) {
        try {
            if (name.indexOf('/') < 0) {
                if (name.isEmpty() || find(name).isEmpty()) {
                    throw new LaunchException(
                            EXIT_NOT_FOUND, "command '" + name + "' is not found on the PATH");
                }
                return;
            }
            Path path = Path.of(name);
            if (!Files.exists(path)) {
                throw new LaunchException(EXIT_NOT_FOUND, "command '" + name + "' does not exist");
            }
            if (!isProgram(path)) {
                throw new LaunchException(
                        EXIT_NOT_EXECUTABLE, "command '" + name + "' is not an executable file");
            }
        } catch (InvalidPathException e) {
            throw new LaunchException(EXIT_NOT_FOUND, "command '" + name + "' is no file name");
        }
    }

    private static boolean isProgram(Path path) {
        return Files.isRegularFile(path) && Files.isExecutable(path);
    }
}
