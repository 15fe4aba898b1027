package io.nexar.fabric;

import io.nexar.transport.Sleeper;

/** Sleeps on a monitor of its own, as one does whom other processes wake: no unpark ends that. */
final class TicketSleeper implements Sleeper {
    private long wakes;
    private boolean isPrepared;

    @Override
    public synchronized long prepare() {
        requireOne(!isPrepared);
        isPrepared = true;
        return wakes;
    }

    @Override
    public synchronized void cancel() {
        requireOne(isPrepared);
        isPrepared = false;
    }

    @Override
    public synchronized void sleep(long ticket, long nanos) {
        requireOne(isPrepared);
        long until = nanos == Long.MAX_VALUE ? nanos : System.nanoTime() + nanos;
        try {
            while (wakes == ticket && (nanos == Long.MAX_VALUE || System.nanoTime() < until)) {
                wait(nanos == Long.MAX_VALUE ? 0 : Math.max(1, nanos / 1_000_000));
            }
        } catch (InterruptedException interrupt) {
            Thread.currentThread().interrupt();
        } finally {
            isPrepared = false;
        }
    }

    @Override
    public synchronized void wake(Thread sleeper) {
        wakes++;
        notifyAll();
    }

    private static void requireOne(boolean isRight) {
        if (!isRight) {
            throw new IllegalStateException("two threads sleep at a time, or none has prepared");
        }
    }
}
