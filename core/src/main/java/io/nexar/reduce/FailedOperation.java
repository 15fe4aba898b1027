package io.nexar.reduce;

/**
 * A user's operation has thrown. Like memory that its owner closed, it ends the call it was part
 * of, so it is an {@link IllegalStateException} to the engine too.
 */
public final class FailedOperation extends IllegalStateException {
    private static final long serialVersionUID = 1;

    FailedOperation(String name, Throwable cause) {
        super("the operation " + name + " threw " + cause, cause);
    }
}
