package io.nexar.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import picocli.CommandLine;

import java.io.PrintWriter;
import java.io.StringWriter;

/** What is refused before anything starts, and what can be asked without starting anything. */
class BenchCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();

    @Test
    void everyWrongValueIsNamedWithItsRule() {
        refused("an operation is missing: one of [pingpong, bandwidth", "bench");
        refused("OP alreduce: must be one of [pingpong", "bench", "alreduce");
        refused("did you mean allreduce?", "bench", "alreduce");
        refused("-n 0: the number of ranks is 1 to 4096", "bench", "scan", "-n", "0");
        refused("-n 1: pingpong needs 2 ranks", "bench", "pingpong", "-n", "1");
        refused("-n 3: messagerate needs pairs of ranks", "bench", "messagerate", "-n", "3");
        refused("--sizes 7: must be whole elements of f32: a multiple of 4", "--sizes", "8,7");
        refused("--sizes many: not a size: a whole number of bytes", "--sizes", "many");
        refused("--sizes 8GiB: with --heap a buffer is an array", "--heap", "--sizes", "8GiB");
        refused("--datatype f31: must be f64, f32", "--datatype", "f31");
        refused("--datatype f32_i32: must be f64, f32", "--datatype", "f32_i32");
        refused("--op band: f32 takes [sum, prod, min, max, avg]", "--op", "band");
        refused("--algorithm BRUCK: allreduce has [AUTO,", "--algorithm", "BRUCK");
        refused("--algorithm RING: pingpong has [AUTO]", "bench", "pingpong", "--algorithm=RING");
        refused("--iterations 0: must be 1 to 10000000", "--iterations", "0");
        refused("--warm-up 0s: must be longer than 0", "--warm-up", "0s");
        refused("--timing best: must be rank0 or slowest", "--timing", "best");
        refused("--tune m: measures no operation; allreduce is one", "--tune=m");
        refused("-n 17: with --tune, 2 to 16", "bench", "--tune=m", "-n", "17");
        refused("--transport local: with --tune", "bench", "--tune=m", "--transport", "local");
        refused("--transport = 'carrier-pigeon'", "--transport", "carrier-pigeon");
    }

    @Test
    void theCardOfTheMachineNeedsNoOperation() {
        assertThat(execute("bench", "--card")).isZero();
        assertThat(out.toString()).contains("processor: ", "cores: ", "system: ", "java: ");
    }

    private void refused(String message, String... arguments) {
        String[] all = arguments;
        if (!arguments[0].equals("bench")) {
            all = new String[arguments.length + 2];
            all[0] = "bench";
            all[1] = "allreduce";
            System.arraycopy(arguments, 0, all, 2, arguments.length);
        }
        err.getBuffer().setLength(0);
        assertThat(execute(all)).isEqualTo(2);
        assertThat(err.toString()).contains(message).contains("--help'.");
    }

    private int execute(String... arguments) {
        CommandLine line = Main.commandLine();
        line.setOut(new PrintWriter(out, true));
        line.setErr(new PrintWriter(err, true));
        return line.execute(arguments);
    }
}
