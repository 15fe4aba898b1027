package io.nexar.transport.local;

import io.nexar.MemberId;
import io.nexar.NexarConfig;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Link;
import io.nexar.transport.LinkPair;

import java.net.InetAddress;
import java.security.PrivateKey;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Makes endpoints on a hub for tests. */
public final class LocalMembers {
    private LocalMembers() {}

    static EndpointSettings settings(
            MemberId self, Predicate<MemberId> isMember, Consumer<Link> onLink, Runnable wakeUp) {
        return new EndpointSettings(
                self,
                noIdentity(),
                InetAddress.getLoopbackAddress(),
                NexarConfig.defaults(),
                isMember,
                onLink,
                wakeUp,
                task -> {
                    throw new AssertionError("the local transport has no threads");
                });
    }

    public static LinkPair pair(
            MemberId left, Runnable leftWakeUp, MemberId right, Runnable rightWakeUp)
            throws Exception {
        LocalHub hub = new LocalHub();
        List<Link> accepted = new ArrayList<>();
        LocalEndpoint dialler = hub.open(settings(left, any -> true, accepted::add, leftWakeUp));
        LocalEndpoint acceptor = hub.open(settings(right, any -> true, accepted::add, rightWakeUp));
        Link dialled =
                dialler.connect(right, acceptor.address(), TimeUnit.SECONDS.toNanos(1))
                        .get(1, TimeUnit.SECONDS);
        return new LinkPair(
                dialled,
                accepted.getFirst(),
                () -> {
                    dialler.close();
                    acceptor.close();
                });
    }

    /** A local endpoint never looks at it. */
    @SuppressWarnings("NullAway")
    private static EndpointSettings.Identity noIdentity() {
        PrivateKey none = null;
        return new EndpointSettings.Identity("test", none, null, null);
    }
}
