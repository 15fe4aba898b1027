package io.nexar.house.planted.fabric;

/** Starts a thread by a builder; one that is never started is sound. */
final class StartsVirtualThread {
    static Thread started(Runnable task) {
        return Thread.ofVirtual().start(task);
    }

    static Thread soundStranger() {
        return Thread.ofVirtual().unstarted(() -> {});
    }
}
