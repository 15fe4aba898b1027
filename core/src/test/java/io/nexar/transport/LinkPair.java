package io.nexar.transport;

/** Two ends of one link, for a test that owns both, and what must be closed after it. */
public record LinkPair(Link left, Link right, AutoCloseable resources) implements AutoCloseable {
    @Override
    public void close() throws Exception {
        left.close("the test is over");
        right.close("the test is over");
        resources.close();
    }
}
