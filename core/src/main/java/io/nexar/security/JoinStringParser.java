package io.nexar.security;

import io.nexar.ConfigurationException;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/**
 * Takes a join string apart from left to right. An error names the part and its rule. It repeats a
 * part only where that cannot be a misplaced token: short and of letters and digits that are no
 * assignment.
 */
final class JoinStringParser {

    private static final String SCHEME = "nexar://";
    private static final String FORM = "nexar://host:port/job?pin=...&token=...";

    /**
     * Below the 22 characters of the shortest token, so that a part that is shown cannot hold one.
     */
    private static final int SHOWN_CHARS_MAX = 16;

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_]([A-Za-z0-9._-]{0,253})");
    private static final Pattern IPV6 =
            Pattern.compile("[0-9A-Fa-f:.]{2,45}(%[A-Za-z0-9._-]{1,16})?");
    private static final Pattern PORT = Pattern.compile("[0-9]{1,5}");
    private static final int PORT_MAX = 65_535;

    private final String text;
    private @Nullable Token token;
    private @Nullable Pin pin;
    private boolean tokenSeen;

    JoinStringParser(String text, @Nullable Token token) {
        this.text = text;
        this.token = token;
    }

    JoinString parse() {
        if (text.length() > JoinString.CHARS_MAX) {
            throw bad(
                    "has "
                            + text.length()
                            + " characters; the longest has "
                            + JoinString.CHARS_MAX);
        }
        if (!text.startsWith(SCHEME)) {
            throw bad("does not start with " + SCHEME);
        }
        String rest = text.substring(SCHEME.length());
        int query = rest.indexOf('?');
        if (query < 0) {
            throw bad("has no '?' before its pin and token");
        }
        String place = rest.substring(0, query);
        int slash = place.indexOf('/');
        if (slash < 0) {
            throw bad("has no '/' between its address and its job");
        }
        parseQuery(rest.substring(query + 1));
        return assemble(place.substring(0, slash), place.substring(slash + 1));
    }

    private JoinString assemble(String address, String job) {
        int colon = address.lastIndexOf(':');
        if (colon < 0 || address.endsWith("]")) {
            throw bad("has no port: host:port is needed");
        }
        String host = address.substring(0, colon);
        String portText = address.substring(colon + 1);
        if (!PORT.matcher(portText).matches()) {
            throw bad("port " + shown(portText) + " is not a number from 1 to " + PORT_MAX);
        }
        int port = Integer.parseInt(portText);
        boolean bracketed = host.startsWith("[") && host.endsWith("]");
        String bare = bracketed ? host.substring(1, host.length() - 1) : host;
        if (bracketed != bare.indexOf(':') >= 0) {
            throw bad(
                    "host " + shown(host) + ": brackets go around an IPv6 address, and only there");
        }
        if (!NodeIdentity.isJobId(job)) {
            throw bad("job " + shown(job) + " is not 1 to 64 letters, digits, '.', '_' or '-'");
        }
        if (pin == null) {
            throw bad("has no pin");
        }
        if (token == null) {
            throw bad("has no token");
        }
        try {
            return new JoinString(bare, port, job, pin, token);
        } catch (IllegalArgumentException e) {
            throw bad(String.valueOf(e.getMessage()));
        }
    }

    private void parseQuery(String query) {
        for (String parameter : query.split("&", -1)) {
            int equals = parameter.indexOf('=');
            if (equals < 0) {
                throw bad("has a parameter without '='");
            }
            String key = parameter.substring(0, equals);
            String value = parameter.substring(equals + 1);
            switch (key) {
                case "pin" -> acceptPin(value);
                case "token" -> acceptToken(value);
                default -> throw bad("parameter " + shown(key) + " is not one of pin, token");
            }
        }
    }

    private void acceptPin(String value) {
        if (pin != null) {
            throw bad("has two pins");
        }
        pin = Pin.parse(value);
    }

    private void acceptToken(String value) {
        if (tokenSeen) {
            throw bad("has two tokens");
        }
        tokenSeen = true;
        Token parsed = Token.parse(value);
        if (token != null && !parsed.equals(token)) {
            throw bad("holds another token than the one that was given apart");
        }
        token = parsed;
    }

    static void requireHost(String host) {
        boolean legal =
                host.indexOf(':') >= 0
                        ? IPV6.matcher(host).matches()
                        : NAME.matcher(host).matches();
        if (!legal) {
            throw new IllegalArgumentException(
                    "host " + shown(host) + " is no host name, IPv4 address or IPv6 address");
        }
    }

    static void requirePort(int port) {
        if (port < 1 || port > PORT_MAX) {
            throw new IllegalArgumentException(
                    "port " + port + " is not a number from 1 to " + PORT_MAX);
        }
    }

    private static ConfigurationException bad(String rule) {
        return Refusals.badSecret("join string", rule + " (its form is " + FORM + ")");
    }

    private static String shown(String part) {
        boolean harmless =
                part.length() <= SHOWN_CHARS_MAX
                        && part.chars().allMatch(c -> c > ' ' && c < 127 && c != '=' && c != '&');
        return harmless ? "'" + part + "'" : "(" + part.length() + " characters)";
    }
}
