package io.nexar.security;

import io.nexar.ConfigurationException;

import java.nio.file.Path;

/**
 * All that a process needs to join: {@code nexar://host:port/job?pin=...&token=...}.
 *
 * <p>The host is a name or an address; an IPv6 address stands in brackets in the text and without
 * them in {@link #host}. The pin and the token come in either order; anything else in the query is
 * refused.
 */
public record JoinString(String host, int port, String job, Pin pin, Token token) {

    /** A name of 255 characters, a job of 64, a pin and the longest token stay below 512. */
    static final int CHARS_MAX = 1024;

    private static final String MASK = "***";

    public JoinString {
        JoinStringParser.requireHost(host);
        JoinStringParser.requirePort(port);
        NodeIdentity.requireJobId(job);
    }

    public static JoinString parse(String text) {
        return new JoinStringParser(text, null).parse();
    }

    /**
     * For a token that travels apart: the text may then lack it, and must not hold a different one.
     */
    public static JoinString parse(String text, Token token) {
        return new JoinStringParser(text, token).parse();
    }

    /** Reads a file that only its owner may read; a file open to others is refused. */
    public static JoinString readFrom(Path file) {
        String text = OwnerOnlyFiles.read(file, CHARS_MAX).strip();
        try {
            return parse(text);
        } catch (ConfigurationException e) {
            throw Refusals.badSetting("file", file, String.valueOf(e.getMessage()));
        }
    }

    /**
     * Puts the join string, token included, in a file that only its owner may read; replaces it as
     * a whole.
     */
    public void writeTo(Path file) {
        OwnerOnlyFiles.write(file, reveal() + "\n");
    }

    /** The whole join string with the token in the clear. */
    public String reveal() {
        return text(token.reveal());
    }

    @Override
    public String toString() {
        return text(MASK);
    }

    private String text(String tokenText) {
        String place = host.indexOf(':') >= 0 ? "[" + host + "]" : host;
        return "nexar://" + place + ":" + port + "/" + job + "?pin=" + pin + "&token=" + tokenText;
    }
}
