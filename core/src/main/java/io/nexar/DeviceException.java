package io.nexar;

import org.jspecify.annotations.Nullable;

/** A device adapter failed: no driver, no memory, a copy that did not end well. */
public final class DeviceException extends NexarException {

    private static final long serialVersionUID = 1L;

    private final String adapter;
    private final String reason;

    /**
     * @param adapter the adapter's name, for example {@code cuda}
     * @param reason what failed, with the driver's own code and text
     */
    public DeviceException(
            @Nullable OperationContext where,
            String adapter,
            String reason,
            @Nullable Throwable cause) {
        super(
                where,
                scopeOf(where, Scope.OPERATION),
                "device adapter "
                        + adapter
                        + ": "
                        + reason
                        + advice(scopeOf(where, Scope.OPERATION)),
                cause);
        this.adapter = adapter;
        this.reason = reason;
    }

    /** The adapter's name. */
    public String adapter() {
        return adapter;
    }

    /** What failed. */
    public String reason() {
        return reason;
    }

    @Override
    public DeviceException at(OperationContext where) {
        return new DeviceException(where, adapter, reason, this);
    }
}
