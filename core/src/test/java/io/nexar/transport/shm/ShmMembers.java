package io.nexar.transport.shm;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.LinkPair;

import java.net.InetAddress;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Makes endpoints in shared memory for tests, and links between two of one JVM. */
public final class ShmMembers {
    static final long DIAL_NANOS = TimeUnit.SECONDS.toNanos(20);

    private ShmMembers() {}

    static EndpointSettings settings(
            MemberId self, Predicate<MemberId> isMember, Consumer<Link> onLink, Runnable wakeUp) {
        return new EndpointSettings(
                self,
                null,
                InetAddress.getLoopbackAddress(),
                NexarConfig.defaults(),
                isMember,
                onLink,
                wakeUp,
                Thread.ofPlatform().daemon().name("shm-" + self.id()).factory());
    }

    static ShmEndpoint open(EndpointSettings settings, Consumer<String> refusals) {
        return new ShmTransport(System::nanoTime, refusals).open(settings);
    }

    /** Each end's wake-up is run when its bell rings, too. */
    public static LinkPair pair(
            MemberId left, Runnable leftWakeUp, MemberId right, Runnable rightWakeUp)
            throws Exception {
        Queue<String> refusals = new ConcurrentLinkedQueue<>();
        CompletableFuture<Link> accepted = new CompletableFuture<>();
        EndpointSettings own = settings(left, any -> true, any -> {}, leftWakeUp);
        ShmEndpoint dialler = open(own, refusals::add);
        ShmEndpoint acceptor =
                open(settings(right, any -> true, accepted::complete, rightWakeUp), refusals::add);
        Link dialled = dialler.connect(right, acceptor.address(), DIAL_NANOS).get();
        Link other = accepted.get(20, TimeUnit.SECONDS);
        BellWatcher leftBell = new BellWatcher(dialler.doorstep(), dialled, leftWakeUp);
        BellWatcher rightBell = new BellWatcher(acceptor.doorstep(), other, rightWakeUp);
        return new LinkPair(
                dialled,
                other,
                () -> {
                    leftBell.close();
                    rightBell.close();
                    dialler.close();
                    acceptor.close();
                    assertThat(refusals).isEmpty();
                });
    }
}
