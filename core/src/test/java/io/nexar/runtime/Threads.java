package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** The runtime's threads in this JVM. */
final class Threads {
    private Threads() {}

    static void requireNone() throws InterruptedException {
        for (Thread thread : nexarThreads()) {
            thread.join(10_000); // a thread that was told to end needs a moment to do so
        }
        assertThat(nexarThreads()).isEmpty();
    }

    private static List<Thread> nexarThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("nexar-") && thread.isAlive())
                .toList();
    }
}
