package io.nexar.transport.quic;

import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import java.util.HexFormat;

import javax.crypto.Cipher;
import javax.crypto.Mac;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * A client's first QUIC packet with any token that a test likes, properly protected (RFC 9000
 * section 17.2.2, RFC 9001 section 5): it asks for no TLS, it pings. A server that believes the
 * token makes a connection of it.
 */
record FirstPacket(byte[] destinationId, byte[] sourceId, byte[] token) {
    static final int BYTES = 1200; // RFC 9000, 14.1: the least for a first packet

    private static final byte[] SALT = // RFC 9001, 5.2
            HexFormat.of().parseHex("38762cf7f55934b34d179ae6a4c80cadccbb7f0a");
    private static final int NUMBER_BYTES = 4;
    private static final int TAG_BYTES = 16;
    private static final byte PING = 1;

    byte[] bytes() throws GeneralSecurityException {
        ByteBuffer packet = ByteBuffer.allocate(BYTES);
        packet.put((byte) (0xC0 | NUMBER_BYTES - 1)).putInt(1);
        packet.put((byte) destinationId.length).put(destinationId);
        packet.put((byte) sourceId.length).put(sourceId);
        packet.putShort((short) (0x4000 | token.length)).put(token);
        packet.putShort((short) (0x4000 | packet.remaining() - Short.BYTES));
        int numberAt = packet.position();
        byte[] header = Arrays.copyOf(packet.array(), numberAt + NUMBER_BYTES);
        byte[] frames = new byte[BYTES - header.length - TAG_BYTES];
        frames[0] = PING; // the zeros after it are padding
        byte[] secret = expand(mac(SALT, destinationId), "client in", 32);
        Cipher seal = Cipher.getInstance("AES/GCM/NoPadding");
        seal.init(
                Cipher.ENCRYPT_MODE,
                new SecretKeySpec(expand(secret, "quic key", 16), "AES"),
                new GCMParameterSpec(8 * TAG_BYTES, expand(secret, "quic iv", 12)));
        seal.updateAAD(header);
        byte[] sealed = seal.doFinal(frames);
        System.arraycopy(header, 0, packet.array(), 0, header.length);
        System.arraycopy(sealed, 0, packet.array(), header.length, sealed.length);
        return maskHeader(packet.array(), numberAt, expand(secret, "quic hp", 16));
    }

    private static byte[] maskHeader(byte[] packet, int numberAt, byte[] key)
            throws GeneralSecurityException {
        Cipher aes = Cipher.getInstance("AES/ECB/NoPadding");
        aes.init(Cipher.ENCRYPT_MODE, new SecretKeySpec(key, "AES"));
        byte[] mask = aes.doFinal(packet, numberAt + 4, 16);
        packet[0] ^= (byte) (mask[0] & 0x0F);
        for (int i = 0; i < NUMBER_BYTES; i++) {
            packet[numberAt + i] ^= mask[1 + i];
        }
        return packet;
    }

    /** HKDF-Expand-Label of TLS 1.3, for at most one block. */
    private static byte[] expand(byte[] secret, String label, int bytes)
            throws GeneralSecurityException {
        byte[] name = ("tls13 " + label).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        ByteBuffer info = ByteBuffer.allocate(name.length + 5);
        info.putShort((short) bytes).put((byte) name.length).put(name).put((byte) 0).put((byte) 1);
        return Arrays.copyOf(mac(secret, info.array()), bytes);
    }

    private static byte[] mac(byte[] key, byte[] message) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        return mac.doFinal(message);
    }
}
