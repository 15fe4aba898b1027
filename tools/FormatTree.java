import com.google.googlejavaformat.java.Main;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Runs google-java-format (AOSP style) over the tree: {@code check ROOT} names the files that are
 * not formatted and exits with 1, {@code write ROOT} rewrites them. Files that have not changed
 * since the last clean check are left out.
 */
final class FormatTree {
    private static final Set<String> SKIPPED = Set.of("target", ".git", ".idea");

    private FormatTree() {}

    public static void main(String[] args) throws Exception {
        boolean write = args[0].equals("write");
        Path root = Path.of(args[1]);
        Path stamp = root.resolve("target/formatter/checked");
        FileTime started = FileTime.fromMillis(System.currentTimeMillis());
        List<Path> sources = changedSince(stamp, root);
        if (sources.isEmpty()) {
            return;
        }
        if (write) {
            // Twice: what the first pass breaks into lines, the second may join or move once more.
            format(sources, new StringWriter(), "--aosp", "--replace");
            format(sources, new StringWriter(), "--aosp", "--replace");
        }
        StringWriter changed = new StringWriter();
        if (format(sources, changed, "--aosp", "--dry-run", "--set-exit-if-changed") != 0) {
            System.err.println("Not formatted (run: mvn -q -N -Pformat verify):");
            System.err.print(changed.toString().replace(root + "/", "  "));
            System.exit(1);
        }
        Files.createDirectories(stamp.getParent());
        Files.write(stamp, new byte[0]);
        Files.setLastModifiedTime(stamp, started);
    }

    /** Runs the formatter; names of files go to the writer, complaints to the error stream. */
    private static int format(List<Path> sources, StringWriter names, String... options)
            throws Exception {
        String[] command =
                Stream.concat(Stream.of(options), sources.stream().map(Path::toString))
                        .toArray(String[]::new);
        PrintWriter complaints = new PrintWriter(System.err, true);
        return new Main(new PrintWriter(names), complaints, InputStream.nullInputStream())
                .format(command);
    }

    /** All Java sources below the root that are newer than the stamp; all there are without one. */
    private static List<Path> changedSince(Path stamp, Path root) throws IOException {
        long checkedMillis = Files.exists(stamp) ? Files.getLastModifiedTime(stamp).toMillis() : -1;
        List<Path> sources = new ArrayList<>();
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path dir, BasicFileAttributes attributes) {
                        return SKIPPED.contains(dir.getFileName().toString())
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        if (file.toString().endsWith(".java")
                                && attributes.lastModifiedTime().toMillis() >= checkedMillis) {
                            sources.add(file);
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
        return sources;
    }
}
