package io.nexar;

import org.jspecify.annotations.Nullable;

/**
 * The waiting thread was interrupted. Its flag is set again. A collective's communicator is broken;
 * a receive has consumed nothing.
 */
public final class InterruptedOperationException extends NexarException {

    private static final long serialVersionUID = 1L;

    public InterruptedOperationException(@Nullable OperationContext where) {
        this(where, null);
    }

    public InterruptedOperationException(
            @Nullable OperationContext where, @Nullable Throwable cause) {
        Scope scope = scopeOf(where, Scope.OPERATION);
        super(where, scope, "the waiting thread was interrupted" + advice(scope), cause);
    }

    @Override
    public InterruptedOperationException at(OperationContext where) {
        return new InterruptedOperationException(where, this);
    }
}
