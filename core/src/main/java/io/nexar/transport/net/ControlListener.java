package io.nexar.transport.net;

/** Hears of control connections, in their loop's one thread, which it must not hold up. */
public interface ControlListener {

    /**
     * There is a connection: on the server from the moment it is accepted, before it is secured; on
     * the client once it is secured.
     */
    void onOpen(ControlConnection connection);

    /** A whole message has come, over a secured connection. */
    void onMessage(ControlConnection connection, byte[] message);

    /** An opened connection is gone; told once, and nothing after it. */
    void onClosed(ControlConnection connection, String reason);
}
