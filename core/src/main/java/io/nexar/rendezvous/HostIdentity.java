package io.nexar.rendezvous;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Which host and which process this is.
 *
 * @param host equal for processes of one host, and only for those
 */
public record HostIdentity(String host, long pid) {

    /** Drawn anew at each boot of a Linux kernel; the same in all its containers. */
    private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

    /** Reads {@code pid:[4026531836]}; containers have other numbers. */
    private static final Path PID_NAMESPACE = Path.of("/proc/self/ns/pid");

    /** 16 hexadecimal characters: two hosts of one job don't meet by accident. */
    private static final int HASH_BYTES = 8;

    /**
     * This process's.
     *
     * @param fallbackName names the host where the system has no boot id
     */
    public static HostIdentity ofThisProcess(String fallbackName) {
        String text = fallbackName;
        if (Files.isReadable(BOOT_ID)) {
            try {
                text = Files.readString(BOOT_ID, StandardCharsets.US_ASCII).strip();
            } catch (IOException e) {
                text = fallbackName; // a system that shows the file and not its content
            }
        }
        return new HostIdentity(hash(text), ProcessHandle.current().pid());
    }

    /**
     * Names the process for others of the same host: equal beginnings, up to the slash, mean that
     * they see each other under these numbers.
     */
    public String process() {
        String namespace = "";
        try {
            namespace = Files.readSymbolicLink(PID_NAMESPACE).toString();
        } catch (IOException | UnsupportedOperationException e) {
            namespace = "none"; // no Linux: a host has one space of numbers
        }
        return namespace + "/" + pid;
    }

    /** A boot id is nobody else's business, so that only its hash travels. */
    private static String hash(String text) {
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("this JDK has no SHA-256", e);
        }
    }
}
