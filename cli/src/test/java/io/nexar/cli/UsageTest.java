package io.nexar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What a wrong command line gets: exit code 2 and a line with the flag, the value and the rule. */
class UsageTest {

    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void everyWrongValueIsNamedWithItsRule() {
        refused("-n 0: the number of ranks is 1 to 4096", "run", "-n", "0", "hello");
        refused("-n 5000: the number of ranks is 1 to 4096", "run", "-n", "5000", "hello");
        refused("'--ranks': 'four' is not an int", "run", "-n", "four", "hello");
        refused("Missing required option: '--ranks=N'", "run", "hello");
        refused(
                "--timeout 5 minutes: not a duration: a whole number and ms, s, m or h",
                "run",
                "-n",
                "2",
                "--timeout",
                "5 minutes",
                "hello");
        refused("--timeout 0s: must be longer than 0", "run", "-n2", "--timeout", "0s", "hello");
        refused("--stdin 2: the ranks are 0 to 1", "run", "-n", "2", "--stdin", "2", "hello");
        refused("'--chaos': 'storm' is not a long", "run", "-n2", "--chaos", "storm", "hello");
        refused(
                "--chaos acts on quic alone, and nexar.transport=tcp",
                "run",
                "-n2",
                "--chaos",
                "1",
                "--transport",
                "tcp",
                "hello");
        refused("a command (after --) or an example's name is missing", "run", "-n", "2");
        refused("a command (after --) or an example's name is missing", "run", "-n", "2", "--");
        refused("a command is missing");
        refused("-n 0: the number of ranks is 1 to 1000000", "seed", "-n", "0");
        refused("--bind a:b: must be ADDRESS or ADDRESS:PORT", "seed", "-n", "2", "--bind", "a:b");
        refused("Missing required option: '--join=FILE'", "status");
        refused("a port is 0 to 65535", "seed", "-n", "2", "--bind", "[::1]:70000");
    }

    @Test
    void aSettingThatTheLibraryRefusesIsRefusedBeforeAnythingStarts() {
        refused(
                "unknown setting nexar.transprt in --set; did you mean nexar.transport?",
                "run",
                "-n",
                "2",
                "--set",
                "nexar.transprt=quic",
                "hello");
        refused("must be one of auto", "run", "-n", "2", "--transport", "carrier-pigeon", "hello");
        refused(
                "--set nexar.rank: the launcher gives this",
                "run",
                "-n2",
                "--set",
                "nexar.rank=1",
                "hello");
    }

    @Test
    void anUnknownExampleIsAnsweredWithTheNearestAndWithAll() {
        refused(
                "there is no bundled example 'mnits'; did you mean 'mnist'?",
                "run",
                "-n",
                "2",
                "mnits");
        assertThat(err.toString())
                .contains("hello", "allreduce", "broadcast", "send-receive", "local-cluster")
                .contains("seed-and-workers", "mnist", "nexar run -n 4 -- mnits");
    }

    @Test
    void anUnknownCommandOrFlagIsAnsweredWithTheNearest() {
        refused("--trasport", "run", "--trasport", "-n", "2", "hello");
        refused("rnu", "rnu");
    }

    @Test
    void helpGoesToStandardOutputAndNamesTheExitCodes() {
        assertThat(execute("run", "--help")).isZero();
        assertThat(out.toString())
                .contains("nexar run -n N [OPTIONS] -- COMMAND [ARG...]")
                .contains(
                        "--timeout",
                        "--set",
                        "--transport",
                        "--chaos",
                        "124",
                        "126, 127",
                        "130, 143");
        assertThat(execute("seed", "--help")).isZero();
        assertThat(out.toString()).contains("--join-file", "--bind", "--json");
        assertThat(execute("status", "--help")).isZero();
        assertThat(out.toString()).contains("nexar status", "--join=FILE", "--json");
        assertThat(execute("simulate", "--help")).isZero();
        assertThat(out.toString()).contains("--per-host", "--plot", "--measure", "--cost-model");
        assertThat(err.toString()).isEmpty();
    }

    @Test
    void theVersionIsThatOfTheBuild() {
        assertThat(execute("--version")).isZero();
        assertThat(out.toString())
                .containsPattern("(?m)^nexar \\d+\\.\\d+\\.\\d+")
                .contains("Java 25");
    }

    private void refused(String message, String... arguments) {
        err.getBuffer().setLength(0);
        assertThat(execute(arguments)).isEqualTo(2);
        assertThat(err.toString()).contains(message).contains("--help'.");
    }

    private int execute(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }
}
