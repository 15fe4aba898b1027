package io.nexar.property;

import io.nexar.collective.plan.Operation;

/** The ways to call the collectives that move or combine elements. */
enum Form {
    BROADCAST(Operation.BROADCAST, Place.SAME),
    REDUCE(Operation.REDUCE, Place.SAME),
    ALL_REDUCE(Operation.ALL_REDUCE, Place.SAME),
    ALL_REDUCE_LIST(Operation.ALL_REDUCE, Place.SAME),
    GATHER(Operation.GATHER, Place.IN_OUTPUT),
    GATHER_UNEVEN(Operation.GATHER, Place.IN_OUTPUT),
    SCATTER(Operation.SCATTER, Place.IN_INPUT),
    SCATTER_UNEVEN(Operation.SCATTER, Place.IN_INPUT),
    ALL_GATHER(Operation.ALL_GATHER, Place.IN_OUTPUT),
    ALL_GATHER_UNEVEN(Operation.ALL_GATHER, Place.IN_OUTPUT),
    /** One buffer, in {@code Partition}'s shares. */
    ALL_GATHER_ONE(Operation.ALL_GATHER, Place.IN_OUTPUT),
    /** In {@code Partition}'s shares. */
    REDUCE_SCATTER(Operation.REDUCE_SCATTER, Place.IN_INPUT),
    REDUCE_SCATTER_UNEVEN(Operation.REDUCE_SCATTER, Place.IN_INPUT),
    REDUCE_SCATTER_ONE(Operation.REDUCE_SCATTER, Place.IN_INPUT),
    ALL_TO_ALL(Operation.ALL_TO_ALL, Place.SAME),
    ALL_TO_ALL_UNEVEN(Operation.ALL_TO_ALL, Place.NEVER),
    SCAN(Operation.SCAN, Place.SAME),
    EXCLUSIVE_SCAN(Operation.EXCLUSIVE_SCAN, Place.SAME);

    /** Where a rank's one buffer is when the call is in place. */
    enum Place {
        /** Input and output are one memory. */
        SAME,
        /** The input is the rank's share of the output. */
        IN_OUTPUT,
        /** The output is the rank's share of the input. */
        IN_INPUT,
        /** There is no such call. */
        NEVER
    }

    private final Operation operation;
    private final Place place;

    Form(Operation operation, Place place) {
        this.operation = operation;
        this.place = place;
    }

    Operation operation() {
        return operation;
    }

    Place place() {
        return place;
    }

    /** Has one buffer only. */
    boolean isAlwaysInPlace() {
        return this == BROADCAST
                || this == ALL_REDUCE_LIST
                || this == ALL_GATHER_ONE
                || this == REDUCE_SCATTER_ONE;
    }

    /** The caller gives each rank's count. */
    boolean isUneven() {
        return this == GATHER_UNEVEN
                || this == SCATTER_UNEVEN
                || this == ALL_GATHER_UNEVEN
                || this == REDUCE_SCATTER_UNEVEN
                || this == ALL_TO_ALL_UNEVEN;
    }

    /** The shares follow from the total. */
    boolean isPartitioned() {
        return this == ALL_GATHER_ONE || this == REDUCE_SCATTER || this == REDUCE_SCATTER_ONE;
    }

    /** All ranks must end with the same bits. */
    boolean isForAll() {
        return operation == Operation.BROADCAST
                || operation == Operation.ALL_REDUCE
                || operation == Operation.ALL_GATHER;
    }
}
