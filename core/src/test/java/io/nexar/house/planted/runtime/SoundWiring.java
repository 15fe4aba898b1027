package io.nexar.house.planted.runtime;

import io.nexar.house.planted.config.SoundSettings;

/** Sound: the runtime may start threads, read the clock and look at every room. */
public final class SoundWiring {
    Thread thread(Runnable task) {
        return Thread.ofPlatform().unstarted(task);
    }

    public long now() {
        return System.nanoTime() + SoundSettings.home().length();
    }
}
