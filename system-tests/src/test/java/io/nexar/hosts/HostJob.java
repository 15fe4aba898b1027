package io.nexar.hosts;

import io.nexar.cli.Launcher;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A job with a seed on one host and a rank on each. */
final class HostJob {

    private final Hosts hosts;
    private final String joinString;
    private final String transport;

    private HostJob(Hosts hosts, String joinString, String transport) {
        this.hosts = hosts;
        this.joinString = joinString;
        this.transport = transport;
    }

    /** The same job, whose ranks talk over that. */
    HostJob over(String otherTransport) {
        return new HostJob(hosts, joinString, otherTransport);
    }

    static HostJob seed(Hosts hosts, Path folder, String host, String bind) throws IOException {
        Path joinFile = Files.createTempDirectory(folder, "seed").resolve("join");
        Launcher seed =
                hosts.start(
                        host,
                        Launcher.command(
                                "seed",
                                "-n",
                                "2",
                                "--bind",
                                bind,
                                "--join-file",
                                joinFile.toString()));
        seed.await("the join file", () -> Files.exists(joinFile));
        return new HostJob(hosts, Files.readString(joinFile).strip(), "tcp");
    }

    /** As the seed gave it out. */
    String joinString() {
        return joinString;
    }

    /**
     * A rank of {@link HostProgram}; options are system properties of the library. These hosts
     * share a kernel, and so memory, which real ones do not: they talk over what is said here.
     */
    Launcher rank(int rank, String host, List<String> options, String... scenario) {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                "env",
                                "NEXAR_SEED=" + joinString,
                                "NEXAR_RANK=" + rank,
                                "NEXAR_TRANSPORT=" + transport,
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx256m",
                                "--enable-native-access=ALL-UNNAMED"));
        options.forEach(option -> command.add("-D" + option));
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), HostProgram.class.getName()));
        command.addAll(List.of(scenario));
        return hosts.start(host, command);
    }
}
