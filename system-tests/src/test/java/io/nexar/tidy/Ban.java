package io.nexar.tidy;

import io.nexar.tidy.SourceTree.SourceFile;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Something that must not stand in a file, and what to write instead.
 *
 * @param files which files it is banned from
 */
record Ban(String name, Pattern pattern, String instead, Predicate<SourceFile> files) {
    static List<Ban> all() {
        return List.of(
                new Ban("tab", Pattern.compile("\t"), "spaces", file -> true),
                new Ban(
                        "trailing blank",
                        Pattern.compile("[ \\t]+$", Pattern.MULTILINE),
                        "nothing",
                        file -> true),
                new Ban(
                        "line over 100 columns",
                        // A word that is as long by itself, such as a key in hex, has no blank.
                        Pattern.compile("^(?!\\W*\\w{60,}\\W*$).{101,}$", Pattern.MULTILINE),
                        "two lines",
                        file -> isJava(file) || isShell(file)),
                new Ban(
                        "note to self",
                        Pattern.compile("\\b(TODO|FIXME|XXX)\\b"),
                        "the work itself, or an exception that says it is not there",
                        file -> true),
                new Ban(
                        "sleep in a test",
                        Pattern.compile(
                                "\\b(Thread\\.sleep|TimeUnit\\.\\w+\\.sleep|LockSupport\\.parkNanos)"),
                        "a wait for a condition with a deadline",
                        Ban::isTest),
                new Ban(
                        "path of one machine",
                        Pattern.compile("(?<![\\w.}])/(work|root|home)/|/tmp/|\\.\\./s[h]ared"),
                        "a path relative to the tree, or a temporary folder",
                        file -> true),
                new Ban(
                        "host of a package registry",
                        Pattern.compile(
                                "\\brepo\\d?\\.maven\\b|\\bmaven-central\\b|sonatype\\.org"
                                        + "|jcenter|artifactory",
                                Pattern.CASE_INSENSITIVE),
                        "the user's own Maven settings",
                        file -> true),
                new Ban(
                        "wildcard import",
                        Pattern.compile(
                                "^import (?!static org\\.assertj\\.)[\\w. ]+\\*;",
                                Pattern.MULTILINE),
                        "one import a name",
                        Ban::isJava),
                new Ban(
                        "print in the library",
                        Pattern.compile("\\bSystem\\.(out|err)\\b|\\.printStackTrace\\(\\)"),
                        "System.Logger",
                        Ban::isLibrary),
                new Ban(
                        "empty catch block",
                        Pattern.compile("\\bcatch\\s*\\([^)]*\\)\\s*\\{\\s*}"),
                        "the handling, or a comment that says why there is nothing to do",
                        Ban::isJava),
                new Ban(
                        "Java serialization",
                        Pattern.compile("\\bObject(In|Out)putStream\\b"),
                        "a Serializer",
                        file -> isJava(file) && file.path().contains("/src/main/")),
                new Ban(
                        "skipped test without a reason",
                        Pattern.compile("@Disabled\\b(?!\\(\")"),
                        "@Disabled(\"reason\")",
                        Ban::isTest),
                new Ban(
                        "file over 400 lines",
                        Pattern.compile("\\A(?:.*\\R){400}[\\s\\S]+"),
                        "two files: ask which second job moved in",
                        file -> isJava(file) || isShell(file)));
    }

    /** One sentence for each place where the banned thing stands. */
    List<String> violations(SourceFile file) {
        List<String> found = new ArrayList<>();
        if (!files.test(file)) {
            return found;
        }
        Matcher matcher = pattern.matcher(file.text());
        while (matcher.find()) {
            long line = file.text().substring(0, matcher.start()).lines().count();
            boolean startsLine =
                    matcher.start() == 0 || file.text().charAt(matcher.start() - 1) == '\n';
            found.add(
                    "%s:%d: %s; write %s"
                            .formatted(file.path(), startsLine ? line + 1 : line, name, instead));
        }
        return found;
    }

    private static boolean isJava(SourceFile file) {
        return file.isNamed(".java");
    }

    private static boolean isTest(SourceFile file) {
        return isJava(file) && file.path().contains("/src/test/");
    }

    private static boolean isLibrary(SourceFile file) {
        return isJava(file) && file.path().startsWith("core/src/main/");
    }

    private static boolean isShell(SourceFile file) {
        return file.text().startsWith("#!") && file.text().contains("bash");
    }
}
