package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.ReduceOp;
import io.nexar.collective.plan.Operation;

import org.jspecify.annotations.Nullable;

/**
 * The call before, to see whether the next one is the same: the same form of the same operation, on
 * the very same buffers. Then it has been checked and bound. Only of calls that these say all of:
 * not of those with counts, lists, neighbours, or something to do beside the plan. Used by one
 * thread at a time.
 */
final class RepeatedCall {
    private Operation operation = Operation.BARRIER;
    private CollectiveSpec.@Nullable Shape shape;
    private String name = "";
    private @Nullable DataBuffer send;
    private @Nullable DataBuffer receive;
    private @Nullable ReduceOp reduction;
    private int root;

    /** There is none that the next one could repeat. */
    void forget() {
        shape = null;
        send = null;
        receive = null;
        reduction = null;
    }

    /** Notes a call that has been bound. */
    void note(CollectiveSpec what) {
        boolean isPlain =
                what.shares() == null
                        && what.countsTo() == null
                        && what.parts() == null
                        && what.neighborhood() == null
                        && what.topic() == null
                        && !what.isFused()
                        && what.surround().equals(Surround.NOTHING);
        if (isPlain) {
            operation = what.operation();
            shape = what.shape;
            name = what.name();
            send = what.send;
            receive = what.receive;
            reduction = what.reduction();
            root = what.root();
        }
    }

    /** Whether there is a call that the next one could repeat. */
    boolean isKnown() {
        return shape != null;
    }

    /** Whether this call, which nobody has looked at yet, is that one again. */
    @SuppressWarnings("ReferenceEquality") // Equal ones may lie elsewhere, or do something else.
    boolean isSameAs(CollectiveSpec what) {
        return what.shape == shape
                && what.send == send
                && what.receive == receive
                && what.reduction() == reduction
                && what.operation() == operation
                && what.root() == root
                && what.topic() == null
                && what.name().equals(name);
    }
}
