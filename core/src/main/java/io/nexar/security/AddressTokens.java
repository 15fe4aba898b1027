package io.nexar.security;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Arrays;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * QUIC's address validation by Retry (RFC 9000, section 8.1.2): the server answers a first packet
 * with a token and keeps nothing; only who really receives at the claimed address can send the
 * token back.
 *
 * <p>A token is {@code version (1) | issue time (8) | HMAC-SHA256 (32) | original destination
 * connection id (0 to 20)}. The code covers the version, the time, the client's address and port,
 * and the connection id. The id comes last because Netty wants its offset. The key is random for
 * each process and never leaves it, so a token of another process, or of this one before a restart,
 * is refused. Time is {@code System.nanoTime} of this process, handed in.
 *
 * <p>Immutable; safe in any thread.
 */
public final class AddressTokens {

    /** What {@link #validate} says of a token that proves nothing. */
    public static final int REFUSED = -1;

    /** RFC 9000, section 17.2: no connection id of version 1 is longer. */
    public static final int CONNECTION_ID_BYTES_MAX = 20;

    /**
     * A client answers a Retry in one round trip; it sends again after 1, 2 and 4 s (RFC 9002,
     * section 6.2), so 10 s outlast three lost answers. Longer would only serve whoever collects
     * tokens.
     */
    public static final long LIFETIME_NANOS = Duration.ofSeconds(10).toNanos();

    private static final byte VERSION = 1;
    private static final int TIME_OFFSET = 1;
    private static final int MAC_OFFSET = TIME_OFFSET + Long.BYTES;
    private static final int MAC_BYTES = 32; // HMAC-SHA256, not shortened
    private static final int ID_OFFSET = MAC_OFFSET + MAC_BYTES;

    /** The longest token, for buffers. */
    public static final int BYTES_MAX = ID_OFFSET + CONNECTION_ID_BYTES_MAX;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32; // as strong as the hash, RFC 2104 section 3

    private final SecretKeySpec key;

    public AddressTokens(SecureRandom random) {
        byte[] secret = new byte[KEY_BYTES];
        random.nextBytes(secret);
        this.key = new SecretKeySpec(secret, ALGORITHM);
        Arrays.fill(secret, (byte) 0);
    }

    /** A token for the client at this address, which first sent to this connection id. */
    public byte[] mint(InetSocketAddress client, byte[] originalConnectionId, long nowNanos) {
        if (originalConnectionId.length > CONNECTION_ID_BYTES_MAX) {
            throw new IllegalArgumentException(
                    "connection id of "
                            + originalConnectionId.length
                            + " bytes is above "
                            + CONNECTION_ID_BYTES_MAX);
        }
        InetAddress address = client.getAddress();
        if (address == null) {
            throw new IllegalArgumentException("address " + client + " is not resolved");
        }
        byte[] token =
                ByteBuffer.allocate(ID_OFFSET + originalConnectionId.length)
                        .put(VERSION)
                        .putLong(nowNanos)
                        .put(new byte[MAC_BYTES])
                        .put(originalConnectionId)
                        .array();
        System.arraycopy(mac(token, address, client.getPort()), 0, token, MAC_OFFSET, MAC_BYTES);
        return token;
    }

    /**
     * The offset of the original connection id, which reaches to the token's end; {@link #REFUSED}
     * for whatever this object did not mint for this address within the last {@link
     * #LIFETIME_NANOS}. Never throws: a token is a stranger's.
     */
    public int validate(byte[] token, InetSocketAddress client, long nowNanos) {
        InetAddress address = client.getAddress();
        if (token.length < ID_OFFSET || token.length > BYTES_MAX || address == null) {
            return REFUSED;
        }
        byte[] presented = Arrays.copyOfRange(token, MAC_OFFSET, ID_OFFSET);
        if (!MessageDigest.isEqual(presented, mac(token, address, client.getPort()))) {
            return REFUSED;
        }
        // The difference is right even where nanoTime overflows; a token from later than now was
        // not minted here.
        long ageNanos = nowNanos - ByteBuffer.wrap(token).getLong(TIME_OFFSET);
        return ageNanos >= 0 && ageNanos <= LIFETIME_NANOS ? ID_OFFSET : REFUSED;
    }

    /**
     * Lengths go in before what they measure, so that no two inputs run together to the same bytes.
     */
    private byte[] mac(byte[] token, InetAddress address, int port) {
        byte[] addressBytes = address.getAddress();
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(token, 0, MAC_OFFSET);
            mac.update((byte) addressBytes.length);
            mac.update(addressBytes);
            mac.update((byte) (port >>> Byte.SIZE));
            mac.update((byte) port);
            mac.update((byte) (token.length - ID_OFFSET));
            mac.update(token, ID_OFFSET, token.length - ID_OFFSET);
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK has no " + ALGORITHM, e);
        }
    }
}
