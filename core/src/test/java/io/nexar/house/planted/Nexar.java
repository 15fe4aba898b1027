package io.nexar.house.planted;

import io.nexar.house.planted.runtime.SoundWiring;

/** Sound, by its name: an entry class may reach up. */
public final class Nexar {
    private final SoundWiring wiring = new SoundWiring();

    @Override
    public String toString() {
        return "wired by " + wiring.now();
    }
}
