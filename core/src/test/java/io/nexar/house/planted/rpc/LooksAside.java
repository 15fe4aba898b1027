package io.nexar.house.planted.rpc;

import io.nexar.house.planted.collective.SoundPlanRunner;

/** Uses another room of its own level. */
final class LooksAside {
    final SoundPlanRunner runner = new SoundPlanRunner();
}
