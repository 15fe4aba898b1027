package io.nexar.transport.tcp;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;

/**
 * The end of a connection that became no link. It reads on for a moment, until the peer has closed
 * as well: with unread bytes in it, a closed socket throws away what the peer has not read yet. The
 * endpoint's thread.
 */
final class Parting implements SelectorThread.Watched {
    /** A round trip, and a pause of the peer. */
    private static final long NANOS_MAX = 1_000_000_000;

    private static final int BUFFER_BYTES = 1024;

    private final SocketChannel channel;
    private final ByteBuffer dropped = ByteBuffer.allocate(BUFFER_BYTES);

    private Parting(SocketChannel channel) {
        this.channel = channel;
    }

    static void start(SelectorThread thread, SocketChannel channel, @Nullable SelectionKey key) {
        Parting parting = new Parting(channel);
        if (key == null || !key.isValid() || !channel.isConnected()) {
            parting.close();
            return;
        }
        try {
            channel.shutdownOutput();
            key.attach(parting);
            key.interestOps(SelectionKey.OP_READ);
            thread.schedule(NANOS_MAX, parting::close);
        } catch (IOException e) {
            parting.close();
        }
    }

    @Override
    public void onReady(SelectionKey key) throws IOException {
        if (channel.read(dropped.clear()) < 0) {
            close();
        }
    }

    @Override
    public void onFailure(Exception failure) {
        close();
    }

    private void close() {
        try {
            channel.close();
        } catch (IOException e) {
            // It is gone either way.
        }
    }
}
