package io.nexar.house.planted.wire;

import io.nexar.house.planted.runtime.SoundWiring;

/** Uses a room of a higher level. */
final class LooksUp {
    final SoundWiring wiring = new SoundWiring();
}
