package io.nexar.tidy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The files of the tree: what git knows or would add, or every file outside build folders without
 * git.
 */
record SourceTree(Path root, List<SourceFile> files) {
    private static final Set<String> BUILD_FOLDERS = Set.of("target", ".git", ".idea");

    /** A text file of the tree. The path is relative to the root, with forward slashes. */
    record SourceFile(String path, String text) {
        List<String> lines() {
            return text.lines().toList();
        }

        boolean isNamed(String suffix) {
            return path.endsWith(suffix);
        }
    }

    static SourceTree of(Path root) {
        List<SourceFile> files =
                paths(root).stream()
                        .filter(path -> Files.isRegularFile(root.resolve(path)))
                        .flatMap(path -> read(root, path))
                        .sorted(Comparator.comparing(SourceFile::path))
                        .toList();
        return new SourceTree(root, files);
    }

    /** The tree that these tests run in: the folder above this module. */
    static SourceTree ofThisProject() {
        Path here = Path.of("").toAbsolutePath();
        return of(
                Files.exists(here.resolve("system-tests")) ? here : here.resolve("..").normalize());
    }

    private static List<String> paths(Path root) {
        return Files.exists(root.resolve(".git")) ? gitPaths(root) : walkedPaths(root);
    }

    private static List<String> gitPaths(Path root) {
        try {
            Process git =
                    new ProcessBuilder("git", "ls-files", "-z", "-co", "--exclude-standard")
                            .directory(root.toFile())
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            String output = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean known = git.waitFor() == 0 && !output.isEmpty();
            return known ? List.of(output.split("\0")) : walkedPaths(root);
        } catch (IOException noGit) {
            return walkedPaths(root);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException("interrupted while git listed the files", interrupted);
        }
    }

    private static List<String> walkedPaths(Path root) {
        List<String> paths = new ArrayList<>();
        try {
            Files.walkFileTree(
                    root,
                    new SimpleFileVisitor<>() {
                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path folder, BasicFileAttributes attributes) {
                            boolean skipped =
                                    BUILD_FOLDERS.contains(folder.getFileName().toString());
                            return skipped
                                    ? FileVisitResult.SKIP_SUBTREE
                                    : FileVisitResult.CONTINUE;
                        }

                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            paths.add(root.relativize(file).toString().replace('\\', '/'));
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
        return paths;
    }

    /** Nothing for a file with a zero byte, which is no text. */
    private static Stream<SourceFile> read(Path root, String path) {
        try {
            String text = Files.readString(root.resolve(path), StandardCharsets.ISO_8859_1);
            if (text.indexOf('\0') >= 0) {
                return Stream.empty();
            }
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            return Stream.of(new SourceFile(path, new String(bytes, StandardCharsets.UTF_8)));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
