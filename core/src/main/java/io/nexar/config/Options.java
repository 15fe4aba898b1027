package io.nexar.config;

import static io.nexar.config.OptionScope.JOB;
import static io.nexar.config.OptionScope.PROCESS;

import io.nexar.ConfigurationException;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The one option table: every setting, its default and the reason for it. A new option is a row
 * here; parsing, names in the environment and on the command line, and {@code docs/options.md}
 * follow from it.
 */
public final class Options {

    private static final ValueKind SPAN = new ValueKind.Span();
    private static final ValueKind FLAG = new ValueKind.Flag();

    /** A frame's payload is at most 256 KiB, so no piece is longer. */
    private static final long PIECE_BYTES_MAX = 256 << 10;

    /** 1 GiB: more credit a peer is no bound. */
    private static final long CREDIT_BYTES_MAX = 1L << 30;

    /** 1 GiB: an object's bytes are one array. */
    private static final long OBJECT_BYTES_MAX = 1L << 30;

    private static final List<Option> TABLE =
            List.of(
                    text(
                            "nexar.config",
                            "a path",
                            "The properties file with more settings; keys as here."),
                    text(
                            "nexar.seed",
                            "a join string, or host:port",
                            "Where the ranks meet. Not set: this process is a world of one."),
                    new Option(
                            "nexar.rank",
                            new ValueKind.Whole(0, Integer.MAX_VALUE - 1),
                            "",
                            PROCESS,
                            false,
                            "The rank that this process asks for. Not set: the seed gives one, by"
                                    + " host and arrival."),
                    new Option(
                            "nexar.worldSize",
                            new ValueKind.Whole(1, Integer.MAX_VALUE),
                            "",
                            PROCESS,
                            false,
                            "How many ranks the job has. Not set: the seed knows; set: it must be"
                                    + " what the seed knows."),
                    new Option(
                            "nexar.token",
                            new ValueKind.Text("a text"),
                            "",
                            PROCESS,
                            true,
                            "The secret that lets a worker join; part of a full join string."),
                    choice(
                            "nexar.transport",
                            JOB,
                            "auto",
                            "How ranks talk. auto takes the best one that each two have in common;"
                                    + " any other word forces it for all."
                                    + " insecurePlaintext is tcp without encryption, for networks"
                                    + " where everybody may read and change the data.",
                            "auto",
                            "local",
                            "shm",
                            "tcp",
                            "quic",
                            "insecurePlaintext"),
                    text(
                            "nexar.interface",
                            "a name such as eth0, or an address",
                            "The network interface to advertise. Not set: that of the route to the"
                                    + " seed, which is the one that others most likely reach."),
                    new Option(
                            "nexar.ports",
                            new ValueKind.Ports(),
                            "ephemeral",
                            PROCESS,
                            false,
                            "The ports to listen on, four a process (UDP twice, TCP twice), for"
                                    + " firewalls that want to know. The system's choice never"
                                    + " collides."),
                    span(
                            "nexar.timeout.operation",
                            "30m",
                            "How long an operation waits. Half an hour, because slow is not dead: a"
                                    + " rank may write a checkpoint. withTimeout changes it for one"
                                    + " view."),
                    span(
                            "nexar.timeout.formation",
                            "5m",
                            "How long the ranks wait for each other at the start. Containers are"
                                    + " pulled and queues drained in minutes."),
                    span(
                            "nexar.timeout.dial",
                            "15s",
                            "How long one connection may take, handshake included. A cold JVM's"
                                    + " first handshake takes 0.4 s, and ten seconds where more"
                                    + " processes than cores start at once."),
                    span(
                            "nexar.timeout.close",
                            "10s",
                            "How long close() waits for what runs and for goodbyes. As long as a"
                                    + " silent peer takes to be noticed."),
                    jobSpan(
                            "nexar.heartbeat.interval",
                            "500ms",
                            "How often a process shows the eight ranks after it that it lives. Ten"
                                    + " in the time of a suspicion, so that nine may be lost."),
                    jobSpan(
                            "nexar.heartbeat.suspectAfter",
                            "5s",
                            "After which silence a rank is suspected, and others are asked. Longer"
                                    + " than the pauses of a healthy JVM and than what a network"
                                    + " takes to find another way."),
                    jobSpan(
                            "nexar.heartbeat.confirm",
                            "3s",
                            "How long the others have to say that they hear it. With the suspicion"
                                    + " a silent rank is given up in less than ten seconds."),
                    jobSpan(
                            "nexar.heartbeat.cutOff",
                            "20s",
                            "After which silence a rank is given up that others hear: only the way"
                                    + " to it is broken, which may heal."),
                    new Option(
                            "nexar.deterministic",
                            FLAG,
                            "false",
                            JOB,
                            false,
                            "Whether sums have the same bits on every run, whatever the transport"
                                    + " and the message size: one fixed order over the ranks, so no"
                                    + " ring. Off, because all ranks agree anyway and rings are"
                                    + " faster."),
                    choice(
                            "nexar.check",
                            JOB,
                            "basic",
                            "basic compares calls with each message, for nothing; full confirms"
                                    + " every call before it returns, which costs a round trip.",
                            "basic",
                            "full"),
                    size(
                            "nexar.collective.pieceBytes",
                            JOB,
                            "256KiB",
                            new ValueKind.Size(1, PIECE_BYTES_MAX),
                            "What a collective's messages and all large ones are cut into. 256 KiB:"
                                + " what a piece costs whatever its length is paid least often."),
                    size(
                            "nexar.collective.hostPieceBytes",
                            JOB,
                            "256KiB",
                            new ValueKind.Size(1, PIECE_BYTES_MAX),
                            "The same for communicators whose ranks all share one host, and memory"
                                + " (local, shm): there a piece is read where it lies, and costs a"
                                + " microsecond whatever its length."),
                    new Option(
                            "nexar.collective.piecesInFlight",
                            new ValueKind.Whole(1, 1024),
                            "4",
                            JOB,
                            false,
                            "How many slices of one collective are under way at once: one being"
                                    + " sent, one arriving, one being reduced, one to spare."),
                    size(
                            "nexar.collective.creditBytes",
                            JOB,
                            "1MiB",
                            new ValueKind.Size(1, CREDIT_BYTES_MAX),
                            "What a peer may send of a communicator's collectives before it is"
                                + " consumed: four pieces, enough for a path of 1 GB/s and 1 ms."),
                    new Option(
                            "nexar.cost.model",
                            new ValueKind.TextFile("the path of a cost model"),
                            "",
                            JOB,
                            false,
                            "What links and work cost, as `nexar simulate --measure` writes it: the"
                                + " algorithms that nobody forces are chosen by it. All processes"
                                + " must have the same text. Not set: numbers of a common"
                                + " machine."),
                    size(
                            "nexar.message.eagerBytes",
                            JOB,
                            "64KiB",
                            new ValueKind.Size(0, PIECE_BYTES_MAX),
                            "Up to this size a message is sent without asking; a larger one waits"
                                + " for its receive. About where a copy costs as much as a round"
                                + " trip over TCP."),
                    size(
                            "nexar.message.creditBytes",
                            JOB,
                            "256KiB",
                            new ValueKind.Size(128, CREDIT_BYTES_MAX),
                            "What a peer may send of a communicator's messages before it is"
                                + " received. Each counts 64 bytes more than it has, so 1,000 of 8"
                                + " bytes fit with room to spare."),
                    new Option(
                            "nexar.compressor",
                            new ValueKind.Text("the name of a Compressor"),
                            "none",
                            JOB,
                            false,
                            "What CompressionState.configured() compresses with: none, quantize8,"
                                    + " topK(F), randomK(F, SEED) with F above 0 and at most 1, or"
                                    + " the name of one that is found by ServiceLoader."),
                    new Option(
                            "nexar.serializer",
                            new ValueKind.Text("the name of a Serializer"),
                            "records",
                            JOB,
                            false,
                            "How objects become bytes. records needs nothing but the program's own"
                                    + " classes; another one is found by ServiceLoader."),
                    size(
                            "nexar.object.bytesMax",
                            JOB,
                            "64MiB",
                            new ValueKind.Size(1, OBJECT_BYTES_MAX),
                            "The longest object that is sent, or taken from a peer. Far above what"
                                    + " objects are for, and no danger to a heap; arrays of numbers"
                                    + " have buffers."),
                    new Option(
                            "nexar.quic.maxDatagramBytes",
                            new ValueKind.Whole(1200, 65_527),
                            "",
                            PROCESS,
                            false,
                            "The largest UDP payload to send. Not set: what fits the interface's"
                                + " MTU, at most 16,000. QUIC begins with 1200, which every path"
                                + " that carries it takes (RFC 9000, section 14), and sends larger"
                                + " ones once a probe has come through: they are the biggest lever"
                                + " for speed."),
                    size(
                            "nexar.quic.connectionWindow",
                            PROCESS,
                            "16MiB",
                            new ValueKind.Size(64 << 10, CREDIT_BYTES_MAX),
                            "How many bytes a QUIC connection may have sent and not yet read: 1"
                                + " GB/s over a path of 16 ms. A receiver that does not read costs"
                                + " at most this."),
                    size(
                            "nexar.tcp.laneWindow",
                            JOB,
                            "2MiB",
                            new ValueKind.Size(64 << 10, 256L << 20),
                            "How many bytes one lane of a TCP link may have sent that the receiver"
                                + " has not handled: twice a communicator's credit. Above it the"
                                + " sender is held back."),
                    span(
                            "nexar.stall.reportAfter",
                            "30s",
                            "When a wait is told once in the log, with the ranks that have not"
                                    + " come. Longer than the pauses of a healthy job."),
                    choice(
                            "nexar.wait.spin",
                            PROCESS,
                            "auto",
                            "How a waiting thread polls before it sleeps. auto: it spins, then"
                                + " yields for up to a millisecond, if each rank of the host has a"
                                + " core; else it yields for a tenth of one. always: it spins"
                                + " whatever the cores. never: it sleeps at once.",
                            "auto",
                            "always",
                            "never"));

    private Options() {}

    private static Option text(String key, String values, String doc) {
        return new Option(key, new ValueKind.Text(values), "", PROCESS, false, doc);
    }

    private static Option span(String key, String defaultText, String doc) {
        return new Option(key, SPAN, defaultText, PROCESS, false, doc);
    }

    private static Option jobSpan(String key, String defaultText, String doc) {
        return new Option(key, SPAN, defaultText, JOB, false, doc);
    }

    private static Option size(
            String key, OptionScope scope, String defaultText, ValueKind.Size kind, String doc) {
        return new Option(key, kind, defaultText, scope, false, doc);
    }

    private static Option choice(
            String key, OptionScope scope, String defaultText, String doc, String... words) {
        return new Option(
                key, new ValueKind.Choice(List.of(words)), defaultText, scope, false, doc);
    }

    /** The table, in the order of the documentation. */
    public static List<Option> all() {
        return TABLE;
    }

    /**
     * The option of that key.
     *
     * @param place where the key was written, for the error
     * @throws ConfigurationException if there is none, naming the nearest
     */
    public static Option byKey(String key, String place) {
        return find(Option::key, key, place);
    }

    /** The option of that environment variable; errors as {@link #byKey}. */
    public static Option byVariable(String variable) {
        return find(Option::variable, variable, Layer.ENVIRONMENT.place());
    }

    /** The option of that flag, {@code --a-b-c}; errors as {@link #byKey}. */
    public static Option byFlag(String flag) {
        return find(Option::flag, flag, Layer.FLAG.place());
    }

    private static Option find(Function<Option, String> naming, String name, String place) {
        List<String> names = new ArrayList<>();
        for (Option option : TABLE) {
            String candidate = naming.apply(option);
            if (candidate.equals(name)) {
                return option;
            }
            names.add(candidate);
        }
        throw ConfigurationException.unknown(name, place, nearest(name, names).orElse(null));
    }

    /**
     * The name that was probably meant: the one with the fewest edits, if less than half of it
     * would have to change.
     */
    public static Optional<String> nearest(String name, Collection<String> names) {
        return names.stream()
                .min(Comparator.comparingInt(candidate -> EditDistance.of(name, candidate)))
                .filter(best -> EditDistance.of(name, best) * 2 < best.length());
    }
}
