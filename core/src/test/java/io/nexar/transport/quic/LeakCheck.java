package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.lang.ref.WeakReference;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;

/** Fails a class whose tests lost a Netty buffer without releasing it. */
final class LeakCheck implements BeforeAllCallback, AfterAllCallback {
    private final Queue<String> leaks = new ConcurrentLinkedQueue<>();
    private ResourceLeakDetector.@Nullable Level before;

    @Override
    public void beforeAll(ExtensionContext context) {
        start();
    }

    void start() {
        before = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        ByteBufUtil.setLeakListener((type, records) -> leaks.add(type + " " + records));
    }

    @Override
    public void afterAll(ExtensionContext context) {
        assertThat(stop()).as("buffers that were lost").isEmpty();
    }

    /** Everything that was lost since the start, as far as a full collection shows. */
    Queue<String> stop() {
        collectGarbage();
        // A leak is reported when the next buffer is made.
        ByteBufAllocator.DEFAULT.directBuffer(1).release();
        ByteBufUtil.setLeakListener(null);
        if (before != null) {
            ResourceLeakDetector.setLevel(before);
        }
        return leaks;
    }

    private static void collectGarbage() {
        WeakReference<Object> canary = new WeakReference<>(new Object());
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (canary.get() != null && System.nanoTime() < deadline) {
            System.gc();
        }
        System.gc(); // the second one clears what the first made reachable from queues only
    }
}
