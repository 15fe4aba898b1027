package io.nexar.cli.bench;

import io.nexar.Communicator;
import io.nexar.NexarConfig;
import io.nexar.observe.LinkReport;
import io.nexar.rendezvous.JobStatus;
import io.nexar.rendezvous.JoinEnvironment;
import io.nexar.rendezvous.StatusClient;
import io.nexar.security.JoinString;

import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Which transports carry a job, as its ranks report it to whoever looks at the job. */
final class Carriers {
    /** Where there is no link at all. */
    private static final String NONE = "none";

    /** A rank may be too busy to answer, on a machine that is. */
    private static final int LOOKS_MAX = 5;

    private Carriers() {}

    /**
     * Collective: rank 0 asks, before anything is timed, and the others wait for it.
     *
     * @return on rank 0 their names, those of different links with a plus between them
     */
    static String ofJob(Communicator world) {
        String carriers = world.rank() == 0 && world.size() > 1 ? ask() : NONE;
        world.barrier();
        return carriers;
    }

    private static String ask() {
        NexarConfig config = NexarConfig.fromEnvironment();
        JoinString seed = JoinEnvironment.of(config, Map.of()).seed();
        if (seed == null) {
            return NONE;
        }
        String names = "";
        for (int look = 0; look < LOOKS_MAX && names.isEmpty(); look++) {
            names =
                    names(
                            StatusClient.look(
                                    seed,
                                    config.duration("nexar.timeout.dial").toNanos(),
                                    Thread.ofPlatform()
                                            .name("nexar-bench-status")
                                            .daemon()
                                            .factory()));
        }
        return names.isEmpty() ? NONE : names;
    }

    private static String names(JobStatus status) {
        return status.members().stream()
                .map(JobStatus.Member::report)
                .flatMap(report -> report == null ? Stream.empty() : report.links().stream())
                .map(LinkReport::transport)
                .filter(name -> !name.isEmpty())
                .distinct()
                .sorted()
                .collect(Collectors.joining("+"));
    }
}
