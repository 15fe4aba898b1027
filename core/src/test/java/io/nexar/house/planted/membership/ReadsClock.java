package io.nexar.house.planted.membership;

import java.util.function.LongSupplier;

/** Reads the clock by a method reference. */
final class ReadsClock {
    final LongSupplier clock = System::nanoTime;
}
