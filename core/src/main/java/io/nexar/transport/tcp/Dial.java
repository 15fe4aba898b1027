package io.nexar.transport.tcp;

import io.nexar.transport.net.RacingDial;

import java.io.IOException;
import java.net.InetSocketAddress;

/** A dial whose winner says hello, and no other. The endpoint's thread. */
final class Dial extends RacingDial<DialledGreeting> {
    private final TcpEndpoint endpoint;

    Dial(TcpEndpoint endpoint, Request request) {
        super(request);
        this.endpoint = endpoint;
    }

    @Override
    protected void begin(InetSocketAddress address) {
        try {
            begun(DialledGreeting.start(endpoint, this, address));
        } catch (IOException | RuntimeException e) {
            notBegun(address, TlsWords.of(e));
        }
    }

    @Override
    protected Runnable after(long delayNanos, Runnable task) {
        SelectorThread.Timer timer = endpoint.thread().schedule(delayNanos, task);
        return timer::cancel;
    }

    @Override
    protected void onEnd() {
        endpoint.ended(this);
    }

    boolean isFirst(DialledGreeting greeting) {
        return isFirst(greeting, "it did not answer the hello");
    }

    void onLink(TcpLink link) {
        succeed(link);
    }
}
