package io.nexar.transport.quic;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.util.ResourceLeakDetector;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
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

    /** Everything that was lost since the start, as far as full collections show. */
    Queue<String> stop() {
        findLost();
        ByteBufUtil.setLeakListener(null);
        if (before != null) {
            ResourceLeakDetector.setLevel(before);
        }
        return leaks;
    }

    /** What has been found so far, after another look. */
    Queue<String> findLost() {
        // Twice: the first collection may only make unreachable what the second one finds.
        awaitCollection();
        awaitCollection();
        // Netty reports what was found when it makes the next buffer.
        ByteBufAllocator.DEFAULT.directBuffer(1).release();
        return leaks;
    }

    /** Until the collector has not only cleared but enqueued what was unreachable. */
    private static void awaitCollection() {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        PhantomReference<Object> canary = new PhantomReference<>(new Object(), queue);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        try {
            do {
                System.gc();
            } while (queue.remove(100) == null && System.nanoTime() < deadline);
        } catch (InterruptedException e) {
            throw new AssertionError("interrupted", e);
        } finally {
            Reference.reachabilityFence(canary);
        }
    }
}
