package io.nexar.hosts;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.nexar.cli.Launcher;

import org.junit.jupiter.api.Assumptions;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Hosts on this one: network namespaces, each with its own interfaces, addresses and routes. They
 * are gone after {@link #close}, whatever happened, and with them every interface in them. Needs
 * root, and {@code ip} of iproute2.
 */
final class Hosts implements AutoCloseable {

    private static final Pattern BYTES_SENT = Pattern.compile("bytes_sent:(\\d+)");

    private final String prefix = "nexar-" + ProcessHandle.current().pid() + "-";
    private final List<String> made = new ArrayList<>();
    private final List<Launcher> started = new ArrayList<>();
    private final Path folder;

    private Hosts(Path folder) {
        this.folder = folder;
    }

    /** Skips the test, with the reason, where namespaces can't be made. */
    static Hosts open(Path folder) {
        Hosts hosts = new Hosts(folder);
        String refusal = tryRun(List.of("ip", "netns", "add", hosts.prefix + "probe"));
        Assumptions.assumeTrue(
                refusal.isEmpty(), "network namespaces can't be made here: " + refusal);
        hosts.made.add("probe");
        return hosts;
    }

    /** Skips the test where a program is missing. */
    static void requireProgram(String name) {
        boolean isThere =
                List.of("/usr/sbin", "/usr/bin", "/sbin", "/bin").stream()
                        .anyMatch(place -> Files.isExecutable(Path.of(place, name)));
        Assumptions.assumeTrue(isThere, name + " is not installed");
    }

    void add(String host) {
        run("ip", "netns", "add", prefix + host);
        made.add(host);
        ip(host, "link", "set", "lo", "up");
    }

    /** A cable between two hosts; each end is named after the other host. */
    void connect(String one, String other) {
        String to = "to-" + other;
        run(
                List.of("ip", "link", "add", to, "netns", prefix + one, "type", "veth"),
                List.of("peer", "name", "to-" + one, "netns", prefix + other));
        ip(one, "link", "set", to, "up");
        ip(other, "link", "set", "to-" + one, "up");
    }

    /** An address at the end of the cable to another host; IPv6 without waiting for duplicates. */
    void address(String host, String other, String address) {
        if (address.contains(":")) {
            ip(host, "addr", "add", address, "dev", "to-" + other, "nodad");
        } else {
            ip(host, "addr", "add", address, "dev", "to-" + other);
        }
    }

    /** {@code ip} within a host. */
    void ip(String host, String... arguments) {
        run(List.of("ip", "-n", prefix + host), List.of(arguments));
    }

    /** Any program within a host, to its end. */
    void in(String host, String... command) {
        run(List.of("ip", "netns", "exec", prefix + host), List.of(command));
    }

    /**
     * Breaks the TCP connection that has sent most, from outside of its process, as somebody with
     * root's rights or a router might. Skips the test where the kernel has no such thing.
     */
    void cutBusiestConnection(String host) {
        List<String> inHost = List.of("ip", "netns", "exec", prefix + host);
        List<String> look = new ArrayList<>(inHost);
        look.addAll(List.of("ss", "-tinHO", "state", "established"));
        String busiest =
                output(look)
                        .lines()
                        .max(Comparator.comparingLong(Hosts::bytesSent))
                        .orElseThrow(() -> new AssertionError("no connection on " + host));
        String port = busiest.strip().split("\\s+")[2].replaceAll(".*:", ":");
        List<String> cut = new ArrayList<>(inHost);
        cut.addAll(List.of("ss", "-tnHK", "state", "established", "sport", "=", port));
        Assumptions.assumeTrue(
                output(cut).contains(port), "this kernel can't destroy sockets (ss -K)");
    }

    private static long bytesSent(String connection) {
        Matcher sent = BYTES_SENT.matcher(connection);
        return sent.find() ? Long.parseLong(sent.group(1)) : 0;
    }

    /** A process within a host, in the background. */
    Launcher start(String host, List<String> command) {
        List<String> whole = new ArrayList<>(List.of("ip", "netns", "exec", prefix + host));
        whole.addAll(command);
        Launcher process = Launcher.start(folder, whole);
        started.add(process);
        return process;
    }

    private static void run(List<String> one, List<String> two) {
        List<String> whole = new ArrayList<>(one);
        whole.addAll(two);
        run(whole.toArray(String[]::new));
    }

    private static void run(String... command) {
        output(List.of(command));
    }

    /** What it said; it must not fail. */
    private static String output(List<String> command) {
        StringBuilder said = new StringBuilder();
        String refusal = tryRun(command, said);
        if (!refusal.isEmpty()) {
            throw new AssertionError(String.join(" ", command) + ": " + refusal);
        }
        return said.toString();
    }

    /** What it said, if it failed; else empty. */
    private static String tryRun(List<String> command) {
        return tryRun(command, new StringBuilder());
    }

    private static String tryRun(List<String> command, StringBuilder said) {
        try {
            Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
            said.append(new String(process.getInputStream().readAllBytes(), UTF_8).strip());
            if (!process.waitFor(20, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                return "still running after 20 s";
            }
            return process.exitValue() == 0 ? "" : "exit code " + process.exitValue() + ": " + said;
        } catch (IOException e) {
            return String.valueOf(e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
    }

    @Override
    public void close() {
        started.forEach(Launcher::close);
        List<String> failures = new ArrayList<>();
        for (String host : made) {
            failures.add(tryRun(List.of("ip", "netns", "del", prefix + host)));
        }
        failures.removeIf(String::isEmpty);
        if (!failures.isEmpty()) {
            throw new AssertionError("namespaces are left: " + failures);
        }
    }
}
