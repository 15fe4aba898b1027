package io.nexar.fabric;

import org.jspecify.annotations.Nullable;

/**
 * Somebody wants to know of a message before memory is there for it. One form leaves the message
 * where it is; the other takes it out of matching, so that whoever has this operation is the only
 * one who can receive it. Guarded by the progress lock.
 */
public final class ProbeOperation extends MessageWait {
    private final boolean takes;
    private @Nullable Arrival taken;

    ProbeOperation(int source, int tag, boolean takes) {
        super(source, tag);
        this.takes = takes;
    }

    @Override
    public String operation() {
        return takes ? "match" : "probe";
    }

    @Override
    void meet(Arrival message) {
        matched(message.status());
        if (takes) {
            message.claim();
            taken = message;
        }
        succeed();
    }

    boolean takes() {
        return takes;
    }

    /** The message that was taken out of matching. */
    Arrival taken() {
        Arrival message = taken;
        if (message == null) {
            throw new IllegalStateException("a " + operation() + " that has taken no message");
        }
        return message;
    }
}
