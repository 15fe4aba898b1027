package io.nexar.transport.shm;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where an endpoint's doorstep is: {@code host/pid/descriptor/token}.
 *
 * @param host what two processes must have in common to reach each other's memory
 */
record ShmAddress(Host host, int pid, int descriptor, Token token) {
    private static final Pattern SPELLING =
            Pattern.compile(
                    "([0-9a-f-]{36})\\+(\\d{1,18})\\+(\\d{1,10})"
                            + "/(\\d{1,9})/(\\d{1,9})/([0-9a-f]{32})");

    /**
     * @param bootId of the running kernel
     * @param pidNamespace in which process numbers mean something
     * @param user whose memory it is
     */
    record Host(String bootId, long pidNamespace, long user) {
        private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
        private static final Path PID_NAMESPACE = Path.of("/proc/self/ns/pid");
        private static final Pattern NAMESPACE = Pattern.compile("pid:\\[(\\d+)]");

        static Host own() {
            try {
                Matcher namespace =
                        NAMESPACE.matcher(Files.readSymbolicLink(PID_NAMESPACE).toString());
                if (!namespace.matches()) {
                    throw new ShmException(PID_NAMESPACE + " does not name a namespace");
                }
                return new Host(
                        Files.readString(BOOT_ID).strip(),
                        Long.parseLong(namespace.group(1)),
                        Integer.toUnsignedLong(Libc.geteuid()));
            } catch (IOException e) {
                throw new ShmException("/proc can't be read: " + e, e);
            }
        }

        /** Why memory of {@code there} can't be reached from here; empty if it can. */
        String obstacle(Host there) {
            if (!bootId.equals(there.bootId)) {
                return "it runs on another host";
            }
            if (pidNamespace != there.pidNamespace) {
                return "it runs in another pid namespace ("
                        + there.pidNamespace
                        + ", not "
                        + pidNamespace
                        + "), as in another container";
            }
            return user == there.user ? "" : "it runs as user " + there.user + ", not " + user;
        }

        @Override
        public String toString() {
            return bootId + "+" + pidNamespace + "+" + user;
        }
    }

    /** The address of a doorstep in this process. */
    static ShmAddress own(int descriptor, Token token) {
        return new ShmAddress(Host.own(), ownPid(), descriptor, token);
    }

    private static int ownPid() {
        try {
            String self = Files.readSymbolicLink(Path.of("/proc/self")).toString();
            if (!self.equals(String.valueOf(ProcessHandle.current().pid()))) {
                throw new ShmException("/proc is that of another pid namespace");
            }
            return Integer.parseInt(self);
        } catch (IOException e) {
            throw new ShmException("/proc can't be read: " + e, e);
        }
    }

    static ShmAddress parse(String candidate) {
        Matcher parts = SPELLING.matcher(candidate);
        if (!parts.matches()) {
            throw new ShmException(
                    "not an address of shared memory (host/pid/descriptor/token): "
                            + redacted(candidate));
        }
        Host host =
                new Host(
                        parts.group(1),
                        Long.parseLong(parts.group(2)),
                        Long.parseLong(parts.group(3)));
        return new ShmAddress(
                host,
                Integer.parseInt(parts.group(4)),
                Integer.parseInt(parts.group(5)),
                Token.parse(parts.group(6)));
    }

    /** Without what could be a token. */
    private static String redacted(String candidate) {
        return candidate.substring(0, Math.max(0, candidate.lastIndexOf('/')));
    }

    String candidate() {
        return host + "/" + pid + "/" + descriptor + "/" + token.digits();
    }

    /** For people: without the token. */
    @Override
    public String toString() {
        return "process " + pid;
    }
}
