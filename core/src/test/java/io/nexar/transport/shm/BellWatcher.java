package io.nexar.transport.shm;

import io.nexar.transport.Link;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.concurrent.TimeUnit;

/** Runs a wake-up whenever a bell rings, and never without: a ring that is missing is missed. */
final class BellWatcher implements AutoCloseable {
    private final Doorstep doorstep;
    private final Link link;
    private final Runnable wakeUp;
    private final Thread thread;
    private volatile boolean isOver;

    BellWatcher(Doorstep doorstep, Link link, Runnable wakeUp) {
        this.doorstep = doorstep;
        this.link = link;
        this.wakeUp = wakeUp;
        this.thread = Thread.ofPlatform().daemon().name("bell watcher").start(this::watch);
    }

    private void watch() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment timespec = arena.allocate(16, 8);
            timespec.set(ValueLayout.JAVA_LONG, 0, TimeUnit.HOURS.toSeconds(1));
            while (!isOver) {
                int ticket = doorstep.prepareSleep();
                if (link.isReady()) {
                    wakeUp.run();
                }
                while (!isOver && !doorstep.hasRung(ticket)) {
                    doorstep.sleep(ticket, timespec);
                }
                wakeUp.run();
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        isOver = true;
        while (thread.isAlive()) {
            doorstep.ring();
            thread.join(10);
        }
    }
}
