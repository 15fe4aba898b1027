package io.nexar.cli.chaos;

import java.nio.channels.SelectionKey;

/** Attached to a channel's key: what to do when the channel is ready. */
@FunctionalInterface
interface Ready {
    void onReady(SelectionKey key);
}
