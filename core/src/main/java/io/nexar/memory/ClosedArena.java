package io.nexar.memory;

/**
 * What closing a shared arena does to a thread that is just reading or writing its memory. The
 * access ends with an {@link IllegalStateException}; and HotSpot interrupts the thread, as a side
 * effect of making it throw: nobody has asked the thread to stop.
 */
public final class ClosedArena {
    private ClosedArena() {}

    /**
     * Takes that interrupt back; to be called where the exception is caught. Of an interrupt that
     * somebody meant, at the same moment, it knows nothing.
     */
    public static void forgetInterrupt() {
        Thread.interrupted();
    }
}
