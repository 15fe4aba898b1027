package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.nexar.MemberId;
import io.nexar.rendezvous.HostIdentity;
import io.nexar.rendezvous.Roster;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BooleanSupplier;

@Timeout(60)
class ProcessWitnessTest {
    private static final MemberId SELF = new MemberId(0);
    private static final MemberId OTHER = new MemberId(1);

    @Test
    void aProcessThatDiedIsMissedAtTheSecondLook() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            ProcessWitness witness = watching("host", process(process.pid()));
            assertThat(witness.gone()).isEmpty();
            process.destroyForcibly().waitFor();
            assertThat(witness.gone()).as("a goodbye may be on its way").isEmpty();
            assertThat(witness.gone()).containsExactly(OTHER);
            witness.forget(OTHER);
            assertThat(witness.gone()).isEmpty();
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void aDeadProcessWhoseParentDoesNotCareIsDeadAllTheSame() throws Exception {
        assumeTrue(
                Files.exists(Path.of("/proc/self/stat")), "zombies are told apart on Linux only");
        Process parent = new ProcessBuilder("sh", "-c", "sleep 60 & echo $!; exec cat").start();
        try (BufferedReader out = parent.inputReader();
                BufferedWriter in = parent.outputWriter()) {
            long pid = Long.parseLong(out.readLine());
            // A shell would fetch the exit code: whoever repeats this line is no shell any more.
            in.write("changed\n");
            in.flush();
            assertThat(out.readLine()).isEqualTo("changed");
            ProcessWitness witness = watching("host", process(pid));
            assertThat(witness.gone()).isEmpty();
            ProcessHandle child = ProcessHandle.of(pid).orElseThrow();
            child.destroyForcibly();
            await(() -> !witness.gone().isEmpty());
            assertThat(child.isAlive()).as("for the JDK it still is").isTrue();
        } finally {
            parent.destroyForcibly();
        }
    }

    @Test
    void aNumberThatMeansSomethingElseHereIsNotBelieved() throws Exception {
        Process process = new ProcessBuilder("sleep", "60").start();
        try {
            ProcessWitness otherHost = watching("another host", process(process.pid()));
            ProcessWitness container = watching("host", "pid:[1]/" + process.pid());
            ProcessWitness silent = watching("host", "");
            ProcessWitness nonsense = watching("host", process(0) + "x");
            ProcessWitness same = watching("host", process(ProcessHandle.current().pid()));
            process.destroyForcibly().waitFor();
            for (int look = 0; look < 3; look++) {
                for (ProcessWitness it : List.of(otherHost, container, silent, nonsense, same)) {
                    assertThat(it.gone()).isEmpty();
                }
            }
        } finally {
            process.destroyForcibly();
        }
    }

    private static String process(long pid) {
        return new HostIdentity("host", pid).process();
    }

    private static ProcessWitness watching(String host, String process) {
        return new ProcessWitness(
                new Roster(
                        0,
                        List.of(
                                new Roster.Entry(
                                        SELF,
                                        "host",
                                        process(ProcessHandle.current().pid()),
                                        List.of()),
                                new Roster.Entry(OTHER, host, process, List.of()))),
                0);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + 30_000_000_000L;
        Object monitor = new Object();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime()).isLessThan(deadline);
            synchronized (monitor) {
                monitor.wait(10);
            }
        }
    }
}
