package io.nexar.cli.chaos;

import java.util.concurrent.atomic.AtomicLongArray;

/** The relay's counters: its thread counts, anybody may look. */
final class Tally {

    enum Item {
        DATAGRAMS,
        LOST,
        DOUBLED,
        DELAYED,
        CUT,
        TOO_LARGE,
        TOO_MANY,
        UNDELIVERABLE,
        CONNECTIONS,
        CONNECTION_BYTES
    }

    private final AtomicLongArray counts = new AtomicLongArray(Item.values().length);

    void count(Item item) {
        add(item, 1);
    }

    void add(Item item, long more) {
        counts.addAndGet(item.ordinal(), more);
    }

    private long of(Item item) {
        return counts.get(item.ordinal());
    }

    RelayCounters snapshot() {
        return new RelayCounters(
                of(Item.DATAGRAMS),
                of(Item.LOST),
                of(Item.DOUBLED),
                of(Item.DELAYED),
                of(Item.CUT),
                of(Item.TOO_LARGE),
                of(Item.TOO_MANY),
                of(Item.UNDELIVERABLE),
                of(Item.CONNECTIONS),
                of(Item.CONNECTION_BYTES));
    }
}
