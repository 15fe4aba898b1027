package io.nexar.collective.plan;

import java.util.List;
import java.util.function.Supplier;

/** A kind of fault, with all places in a world's plans where it can be planted. */
interface PlantedFault {
    /** The name of the enum's constant. */
    String name();

    /** Every way to plant this fault, each making the plans of all ranks. */
    List<Supplier<List<Plan>>> plantIn(List<Plan> plans);
}
