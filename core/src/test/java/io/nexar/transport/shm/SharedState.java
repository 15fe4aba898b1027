package io.nexar.transport.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** How much shared memory a process has open and mapped. */
record SharedState(long descriptors, long mappings) {
    static SharedState own() throws IOException {
        return of(ProcessHandle.current().pid());
    }

    static SharedState of(long pid) throws IOException {
        Path process = Path.of("/proc", String.valueOf(pid));
        List<Path> open;
        try (Stream<Path> all = Files.list(process.resolve("fd"))) {
            open = all.toList();
        }
        try (Stream<String> maps = Files.lines(process.resolve("maps"))) {
            return new SharedState(
                    open.stream().filter(SharedState::isShared).count(),
                    // A doorstep is one page, left to the collector.
                    maps.filter(line -> line.contains("/memfd:nexar"))
                            .filter(line -> !isOnePage(line) && !isOwnArea(line))
                            .count());
        }
    }

    /** It stays as long as the process; those of peers are mapped to be read. */
    private static boolean isOwnArea(String line) {
        return line.contains("/memfd:nexar-buffers") && line.contains("rw-s");
    }

    private static boolean isShared(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().startsWith("/memfd:nexar ");
        } catch (IOException e) {
            return false; // it was that of the listing itself
        }
    }

    private static boolean isOnePage(String line) {
        String[] range = line.substring(0, line.indexOf(' ')).split("-");
        return Long.parseUnsignedLong(range[1], 16) - Long.parseUnsignedLong(range[0], 16)
                == Doorstep.BYTES;
    }
}
