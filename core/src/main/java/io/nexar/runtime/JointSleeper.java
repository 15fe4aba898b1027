package io.nexar.runtime;

import io.nexar.transport.Sleeper;

import java.util.List;

/**
 * Sleeps for several endpoints at once: as the first of them wants it, while all know that somebody
 * sleeps. Where several can be woken from outside, the first is the one that needs it most: the
 * others' endpoints have threads that call the rank's wake-up, and that wakes the first.
 */
final class JointSleeper implements Sleeper {
    private final Sleeper first;
    private final List<Sleeper> others;

    JointSleeper(List<Sleeper> all) {
        this.first = all.getFirst();
        this.others = all.subList(1, all.size());
    }

    @Override
    public long prepare() {
        for (int i = 0; i < others.size(); i++) {
            others.get(i).prepare();
        }
        return first.prepare();
    }

    @Override
    public void cancel() {
        first.cancel();
        for (int i = 0; i < others.size(); i++) {
            others.get(i).cancel();
        }
    }

    @Override
    public void sleep(long ticket, long nanos) {
        first.sleep(ticket, nanos);
        for (int i = 0; i < others.size(); i++) {
            others.get(i).cancel();
        }
    }

    @Override
    public void wake(Thread sleeper) {
        first.wake(sleeper);
    }
}
