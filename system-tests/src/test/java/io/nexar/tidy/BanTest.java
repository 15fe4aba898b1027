package io.nexar.tidy;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.tidy.SourceTree.SourceFile;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Each ban finds a planted example and leaves a sound neighbour alone. */
class BanTest {
    private static final String TEST = "core/src/test/java/io/nexar/SomeTest.java";
    private static final String MAIN = "core/src/main/java/io/nexar/Some.java";

    record Planted(String ban, String path, String banned, String sound) {
        @Override
        public String toString() {
            return ban;
        }
    }

    static Stream<Planted> planted() {
        return Stream.of(
                new Planted("tab", "README.md", "a\tb", "a  b"),
                new Planted("trailing blank", "README.md", "a \nb\n", "a\nb\n"),
                new Planted(
                        "line over 100 columns",
                        MAIN,
                        "x ".repeat(50) + "x" + "\n",
                        "x ".repeat(50)),
                new Planted(
                        "line over 100 columns",
                        MAIN,
                        "    say(\"" + "word ".repeat(20) + "\");",
                        " ".repeat(40) + "+ \"" + "0a".repeat(32) + "\");"),
                new Planted("note to self", "nexar", "# TODO later", "# TODOS"),
                new Planted("sleep in a test", TEST, "Thread.sleep(10);", "sleeper.sleep(10);"),
                new Planted("path of one machine", "pom.xml", "cd /home/me/x", "cd ~/x"),
                new Planted("path of one machine", MAIN, "\"/root/.m2\"", "a/root/b"),
                new Planted("path of one machine", "README.md", "see ../sha" + "red/x", "see ../x"),
                new Planted(
                        "host of a package registry",
                        "pom.xml",
                        "https://repo1." + "maven.org/maven2",
                        "http://maven.apache.org/POM/4.0.0"),
                new Planted(
                        "wildcard import",
                        MAIN,
                        "import java.util.*;",
                        "import static org.assertj.core.api.Assertions.*;"),
                new Planted(
                        "print in the library", MAIN, "System.out.println(1)", "out.println(1)"),
                new Planted(
                        "empty catch block",
                        MAIN,
                        "try {} catch (IOException ignored) {\n}",
                        "try {} catch (IOException gone) {\n// The file is gone: what we want.\n}"),
                new Planted(
                        "Java serialization", MAIN, "new ObjectInputStream(in)", "new Stream(in)"),
                new Planted(
                        "skipped test without a reason",
                        TEST,
                        "@Disabled\n",
                        "@Disabled(\"needs two hosts\")"),
                new Planted("file over 400 lines", MAIN, "x\n".repeat(401), "x\n".repeat(400)));
    }

    @ParameterizedTest
    @MethodSource("planted")
    void aPlantedExampleIsFoundAndItsSoundNeighbourIsNot(Planted planted) {
        assertThat(violations(planted, planted.banned())).hasSize(1);
        assertThat(violations(planted, planted.sound())).isEmpty();
    }

    @Test
    void eachBanHasAPlantedExample() {
        assertThat(planted().map(Planted::ban))
                .containsAll(Ban.all().stream().map(Ban::name).toList());
    }

    @Test
    void aViolationNamesPlaceAndReplacement() {
        Planted tab = new Planted("tab", "README.md", "first\n\tsecond\n", "");
        assertThat(violations(tab, tab.banned())).containsExactly("README.md:2: tab; write spaces");
        assertThat(violations(tab, "first\nse\tcond\n"))
                .containsExactly("README.md:2: tab; write spaces");
    }

    @Test
    void aPackageWithoutSentenceIsFound(@TempDir Path root) throws IOException {
        write(root, "core/src/main/java/io/a/package-info.java", "/** A. */\n@NullMarked\n");
        write(root, "core/src/main/java/io/a/A.java", "");
        write(root, "core/src/main/java/io/b/B.java", "");
        write(root, "core/src/main/java/io/c/package-info.java", "package io.c;");
        assertThat(TreeRules.packagesWithoutInfo(SourceTree.of(root)))
                .hasSize(2)
                .anyMatch(sentence -> sentence.startsWith("core/src/main/java/io/b:"))
                .anyMatch(sentence -> sentence.startsWith("core/src/main/java/io/c:"));
    }

    @Test
    void aBrokenLinkIsFound(@TempDir Path root) throws IOException {
        write(root, "docs/a.md", "[up](../README.md#start) [web](https://x.org) [gone](b.md)");
        write(root, "README.md", "[docs](docs)");
        assertThat(TreeRules.brokenLinks(SourceTree.of(root)))
                .containsExactly("docs/a.md: the link to b.md leads nowhere");
    }

    @Test
    void anUnlistedDecisionAndADoubleNumberAreFound(@TempDir Path root) throws IOException {
        write(root, "docs/adr/README.md", "[1](0001-one.md) [2](0002-two.md)");
        write(root, "docs/adr/0001-one.md", "");
        write(root, "docs/adr/0002-two.md", "");
        write(root, "docs/adr/0002-other.md", "");
        assertThat(TreeRules.unlistedDecisions(SourceTree.of(root)))
                .containsExactlyInAnyOrder(
                        "docs/adr/0002-other.md: not listed in docs/adr/README.md",
                        "docs/adr: two records have the number 0002");
    }

    @Test
    void withoutGitBuildFoldersAreLeftOut(@TempDir Path root) throws IOException {
        write(root, "a.md", "");
        write(root, "core/target/b.md", "");
        assertThat(SourceTree.of(root).files())
                .extracting(SourceFile::path)
                .containsExactly("a.md");
    }

    private static List<String> violations(Planted planted, String text) {
        SourceFile file = new SourceFile(planted.path(), text);
        return Ban.all().stream()
                .filter(ban -> ban.name().equals(planted.ban()))
                .flatMap(ban -> ban.violations(file).stream())
                .toList();
    }

    private static void write(Path root, String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }
}
