package io.nexar.security;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/** A client and a server that talk over two buffers in memory, in one thread. */
final class EnginePair {

    private static final int BUFFER_BYTES = 64 * 1024;
    private static final int TURNS_MAX = 100; // a handshake takes about ten

    private final SSLEngine client;
    private final SSLEngine server;
    private final ByteBuffer toServer = ByteBuffer.allocate(BUFFER_BYTES);
    private final ByteBuffer toClient = ByteBuffer.allocate(BUFFER_BYTES);

    EnginePair(SSLEngine client, SSLEngine server) {
        this.client = client;
        this.server = server;
    }

    /** Until both are done; throws what the first side that refuses says. */
    void handshake() throws SSLException {
        client.beginHandshake();
        server.beginHandshake();
        for (int turn = 0; turn < TURNS_MAX; turn++) {
            send(client, ByteBuffer.allocate(0), toServer);
            receive(server, toServer);
            send(server, ByteBuffer.allocate(0), toClient);
            receive(client, toClient);
            if (isQuiet(client) && isQuiet(server)) {
                return;
            }
        }
        throw new AssertionError("no handshake after " + TURNS_MAX + " turns");
    }

    /** One message from the client to the server: proves that both ends hold the same keys. */
    String exchange(String message) throws SSLException {
        send(client, ByteBuffer.wrap(message.getBytes(StandardCharsets.UTF_8)), toServer);
        return StandardCharsets.UTF_8.decode(receive(server, toServer)).toString();
    }

    private static boolean isQuiet(SSLEngine engine) {
        return engine.getHandshakeStatus() == SSLEngineResult.HandshakeStatus.NOT_HANDSHAKING;
    }

    private static void send(SSLEngine engine, ByteBuffer plain, ByteBuffer net)
            throws SSLException {
        SSLEngineResult result;
        do {
            runTasks(engine);
            result = engine.wrap(plain, net);
        } while (result.bytesProduced() > 0
                && (plain.hasRemaining()
                        || engine.getHandshakeStatus()
                                == SSLEngineResult.HandshakeStatus.NEED_WRAP));
    }

    private static ByteBuffer receive(SSLEngine engine, ByteBuffer net) throws SSLException {
        ByteBuffer plain = ByteBuffer.allocate(BUFFER_BYTES);
        net.flip();
        SSLEngineResult result;
        do {
            runTasks(engine);
            result = engine.unwrap(net, plain);
            runTasks(engine);
        } while (result.bytesConsumed() > 0 && net.hasRemaining());
        net.compact();
        return plain.flip();
    }

    private static void runTasks(SSLEngine engine) {
        for (Runnable task = engine.getDelegatedTask();
                task != null;
                task = engine.getDelegatedTask()) {
            task.run();
        }
    }
}
