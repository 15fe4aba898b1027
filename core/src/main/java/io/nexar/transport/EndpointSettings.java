package io.nexar.transport;

import io.nexar.MemberId;
import io.nexar.NexarConfig;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What an endpoint needs to know.
 *
 * @param self the member it belongs to
 * @param identity how it shows who it is; null for transports inside one process, which do not ask
 * @param bind the local address to listen on
 * @param isMember whether a dialling member may link to this one; asked once its certificate has
 *     been verified
 * @param onLink takes accepted, authenticated links; called in a thread of the transport
 * @param wakeUp tells whoever polls that there is something to poll; cheap, from any thread
 * @param threads makes the transport's threads: a constant number, whatever the number of peers
 */
public record EndpointSettings(
        MemberId self,
        @Nullable Identity identity,
        InetAddress bind,
        NexarConfig config,
        Predicate<MemberId> isMember,
        Consumer<Link> onLink,
        Runnable wakeUp,
        ThreadFactory threads) {

    /** The identity, for a transport that can't do without. */
    public Identity requireIdentity() {
        if (identity == null) {
            throw new IllegalStateException(self + " has no identity to show to its peers");
        }
        return identity;
    }

    /**
     * A member's key and certificate, and the job's authority.
     *
     * @param job the job's id, which peers' certificates must carry
     */
    public record Identity(
            String job, PrivateKey key, X509Certificate certificate, X509Certificate authority) {
        @Override
        public String toString() {
            return "Identity[" + certificate.getSubjectX500Principal() + "]";
        }
    }
}
