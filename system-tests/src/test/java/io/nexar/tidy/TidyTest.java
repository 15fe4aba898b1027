package io.nexar.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.tidy.SourceTree.SourceFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** The tree keeps its own rules. That each rule finds what it bans stands in {@link BanTest}. */
class TidyTest {
    /** These files spell what is banned. */
    private static final String OWN_FOLDER = "system-tests/src/test/java/io/nexar/tidy/";

    private static final SourceTree TREE = SourceTree.ofThisProject();

    static Stream<Ban> bans() {
        return Ban.all().stream();
    }

    static Stream<Function<SourceTree, List<String>>> treeRules() {
        return Stream.of(
                TreeRules::packagesWithoutInfo,
                TreeRules::brokenLinks,
                TreeRules::unlistedDecisions);
    }

    @ParameterizedTest
    @MethodSource("bans")
    void nothingBannedStandsInTheTree(Ban ban) {
        List<String> violations =
                TREE.files().stream()
                        .filter(file -> !file.path().startsWith(OWN_FOLDER))
                        .flatMap(file -> ban.violations(file).stream())
                        .toList();
        assertThat(violations).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("treeRules")
    void theFilesOfTheTreeHangTogether(Function<SourceTree, List<String>> rule) {
        assertThat(rule.apply(TREE)).isEmpty();
    }

    @Test
    void theWholeTreeIsLookedAt() {
        assertThat(TREE.files().stream().map(SourceFile::path))
                .contains(
                        "pom.xml",
                        "nexar",
                        "README.md",
                        "core/src/main/java/io/nexar/package-info.java",
                        "system-tests/src/test/java/io/nexar/tidy/TidyTest.java")
                .noneMatch(path -> path.contains("/target/"));
    }
}
