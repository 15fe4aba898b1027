package io.nexar.cli;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads {@code 10.0.0.7}, {@code 10.0.0.7:4711}, {@code [::1]:4711}, {@code ::1}, {@code
 * name:4711}.
 */
final class BindAddress {

    private static final Pattern BRACKETED = Pattern.compile("\\[([^]]+)](?::([0-9]{1,5}))?");
    private static final Pattern PLAIN = Pattern.compile("([^:\\[\\]]+)(?::([0-9]{1,5}))?");

    /** More than one colon and no bracket: an IPv6 address without a port. */
    private static final Pattern BARE_IPV6 =
            Pattern.compile("([0-9A-Fa-f:.%]*:[^\\[\\]]*:[^\\[\\]]*)()");

    private static final int PORT_MAX = 65_535;

    private BindAddress() {}

    /** Errors name flag, value and rule. Without a port it is 0, any free one. */
    static InetSocketAddress parse(CommandSpec spec, String flag, String text) {
        for (Pattern form : new Pattern[] {BRACKETED, PLAIN, BARE_IPV6}) {
            Matcher matcher = form.matcher(text);
            if (matcher.matches()) {
                return address(spec, flag, text, matcher);
            }
        }
        throw refused(spec, flag, text, "must be ADDRESS or ADDRESS:PORT, with IPv6 as [::1]:PORT");
    }

    private static InetSocketAddress address(
            CommandSpec spec, String flag, String text, Matcher parts) {
        String port = parts.group(2);
        int number = port == null || port.isEmpty() ? 0 : Integer.parseInt(port);
        if (number > PORT_MAX) {
            throw refused(spec, flag, text, "a port is 0 to " + PORT_MAX);
        }
        try {
            return new InetSocketAddress(InetAddress.getByName(parts.group(1)), number);
        } catch (UnknownHostException e) {
            throw refused(spec, flag, text, "is no address of this host");
        }
    }

    private static ParameterException refused(
            CommandSpec spec, String flag, String text, String why) {
        return new ParameterException(spec.commandLine(), flag + " " + text + ": " + why);
    }
}
