package io.nexar.transport.local;

import io.nexar.MemberId;
import io.nexar.transport.Lane;

import org.jspecify.annotations.Nullable;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * What the two ends of a local link share: the rings of both directions, and the one close that
 * ends them both. The first close wins. Thread-safe.
 */
final class LocalPair {
    private static final VarHandle CLOSE = closeHandle();

    /** Who took the link down, and why. */
    record Close(MemberId by, String reason) {}

    private final LocalEndpoint dialler;
    private final LocalEndpoint acceptor;
    private final LocalLink dialled;
    private final LocalLink accepted;

    @SuppressWarnings("unused") // written through CLOSE
    private volatile @Nullable Close close;

    LocalPair(LocalEndpoint dialler, LocalEndpoint acceptor) {
        this.dialler = dialler;
        this.acceptor = acceptor;
        var there = new AtomicReferenceArray<@Nullable LocalRing>(Lane.COUNT);
        var back = new AtomicReferenceArray<@Nullable LocalRing>(Lane.COUNT);
        dialled = new LocalLink(this, dialler, acceptor, there, back);
        accepted = new LocalLink(this, acceptor, dialler, back, there);
    }

    LocalLink dialled() {
        return dialled;
    }

    LocalLink accepted() {
        return accepted;
    }

    @Nullable Close close() {
        return close;
    }

    void close(MemberId by, String reason) {
        if (CLOSE.compareAndSet(this, null, new Close(by, reason))) {
            dialler.forget(dialled);
            acceptor.forget(accepted);
            dialler.wakeUp();
            acceptor.wakeUp();
        }
    }

    private static VarHandle closeHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(LocalPair.class, "close", Close.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }
}
