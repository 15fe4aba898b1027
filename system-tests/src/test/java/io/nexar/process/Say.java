package io.nexar.process;

import io.netty.buffer.ByteBufAllocator;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** What forked programs print for their tests: a word, then its facts. */
final class Say {
    private static final Instant EPOCH = Instant.EPOCH;

    private Say() {}

    static void say(String word, @Nullable Object... facts) {
        StringBuilder line = new StringBuilder(word);
        for (@Nullable Object fact : facts) {
            line.append(' ').append(String.valueOf(fact).replaceAll("\\R", " | "));
        }
        System.out.println(line);
    }

    /** The first line of each program: which process it is. */
    static void sayWho() {
        say("process", ProcessHandle.current().pid());
    }

    /** The host's time, which all its processes share. */
    static long micros() {
        return micros(Instant.now());
    }

    static long micros(Instant instant) {
        return ChronoUnit.MICROS.between(EPOCH, instant);
    }

    /**
     * Lets Netty find what was never released: it learns that from the collector, and says it when
     * the next buffer is made.
     */
    static void reportLeaks() {
        for (int i = 0; i < 3; i++) {
            System.gc();
            ByteBufAllocator.DEFAULT.directBuffer(16).release();
            ByteBufAllocator.DEFAULT.heapBuffer(16).release();
        }
    }
}
