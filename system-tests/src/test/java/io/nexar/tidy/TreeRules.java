package io.nexar.tidy;

import io.nexar.tidy.SourceTree.SourceFile;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Rules about how files of the tree hang together. Each returns one sentence a violation. */
final class TreeRules {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(#[^)]*)?\\)");
    private static final Pattern RECORD = Pattern.compile("docs/adr/(\\d{4})-[\\w-]+\\.md");
    private static final String INDEX = "docs/adr/README.md";

    private TreeRules() {}

    /** Each package of the product opens with a sentence, and its nulls are checked. */
    static List<String> packagesWithoutInfo(SourceTree tree) {
        Set<String> described =
                tree.files().stream()
                        .filter(file -> file.isNamed("/package-info.java"))
                        .filter(file -> file.text().contains("@NullMarked"))
                        .filter(file -> file.text().startsWith("/**"))
                        .map(file -> folderOf(file.path()))
                        .collect(Collectors.toSet());
        return tree.files().stream()
                .filter(file -> file.path().contains("/src/main/java/"))
                .filter(file -> file.isNamed(".java") && !file.isNamed("/module-info.java"))
                .map(file -> folderOf(file.path()))
                .distinct()
                .filter(folder -> !described.contains(folder))
                .map(folder -> folder + ": no package-info.java with a sentence and @NullMarked")
                .toList();
    }

    /** Each relative link of a document leads to a file or folder of the tree. */
    static List<String> brokenLinks(SourceTree tree) {
        return tree.files().stream()
                .filter(file -> file.isNamed(".md"))
                .flatMap(file -> brokenLinks(tree, file))
                .toList();
    }

    private static Stream<String> brokenLinks(SourceTree tree, SourceFile file) {
        Path place = tree.root().resolve(file.path());
        return LINK.matcher(file.text())
                .results()
                .map(link -> link.group(1))
                .filter(target -> !target.contains("://") && !target.startsWith("mailto:"))
                .filter(target -> !Files.exists(place.resolveSibling(target)))
                .map(target -> file.path() + ": the link to " + target + " leads nowhere");
    }

    /** Each decision record is listed in the index, and no two have one number. */
    static List<String> unlistedDecisions(SourceTree tree) {
        List<MatchResult> records =
                tree.files().stream()
                        .flatMap(file -> RECORD.matcher(file.path()).results())
                        .toList();
        String index =
                tree.files().stream()
                        .filter(file -> file.path().equals(INDEX))
                        .map(SourceFile::text)
                        .collect(Collectors.joining());
        Stream<String> unlisted =
                records.stream()
                        .map(MatchResult::group)
                        .filter(path -> !index.contains(path.substring("docs/adr/".length())))
                        .map(path -> path + ": not listed in " + INDEX);
        Stream<String> twice =
                records.stream()
                        .collect(
                                Collectors.groupingBy(
                                        record -> record.group(1), Collectors.counting()))
                        .entrySet()
                        .stream()
                        .filter(entry -> entry.getValue() > 1)
                        .map(entry -> "docs/adr: two records have the number " + entry.getKey());
        return Stream.concat(unlisted, twice).toList();
    }

    private static String folderOf(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }
}
