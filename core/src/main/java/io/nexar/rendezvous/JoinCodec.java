package io.nexar.rendezvous;

import io.nexar.MemberId;
import io.nexar.ProtocolException;
import io.nexar.rendezvous.JoinMessage.Abort;
import io.nexar.rendezvous.JoinMessage.Answers;
import io.nexar.rendezvous.JoinMessage.Ask;
import io.nexar.rendezvous.JoinMessage.Departed;
import io.nexar.rendezvous.JoinMessage.Expelled;
import io.nexar.rendezvous.JoinMessage.Failed;
import io.nexar.rendezvous.JoinMessage.Go;
import io.nexar.rendezvous.JoinMessage.Goodbye;
import io.nexar.rendezvous.JoinMessage.Hello;
import io.nexar.rendezvous.JoinMessage.LinkFailed;
import io.nexar.rendezvous.JoinMessage.Linked;
import io.nexar.rendezvous.JoinMessage.Lost;
import io.nexar.rendezvous.JoinMessage.Observation;
import io.nexar.rendezvous.JoinMessage.Ping;
import io.nexar.rendezvous.JoinMessage.Pong;
import io.nexar.rendezvous.JoinMessage.Ready;
import io.nexar.rendezvous.JoinMessage.Refused;
import io.nexar.rendezvous.JoinMessage.RosterPart;
import io.nexar.rendezvous.JoinMessage.Welcome;
import io.nexar.transport.PeerAddress;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Join messages as bytes and back. Pure.
 *
 * <p>{@code u32 magic "NXRJ" | u16 version | u16 kind | body}, little-endian. This head and the
 * body of a refusal never change, so that any two versions can tell each other that they don't fit.
 */
public final class JoinCodec {

    /** The protocol that this build speaks; raised when a body changes. */
    public static final int VERSION = 1;

    /** The longest message, its length prefix not counted. */
    public static final int MESSAGE_BYTES_MAX = 64 * 1024;

    private static final int MAGIC = 'N' | 'X' << 8 | 'R' << 16 | 'J' << 24;

    private static final int HELLO = 1;
    private static final int WELCOME = 2;
    private static final int REFUSED = 3;
    private static final int READY = 4;
    private static final int ROSTER_PART = 5;
    private static final int LINKED = 6;
    private static final int LINK_FAILED = 7;
    private static final int GO = 8;
    private static final int FAILED = 9;
    private static final int DEPARTED = 10;
    private static final int GOODBYE = 11;
    private static final int ABORT = 12;
    private static final int ASK = 13;
    private static final int PING = 14;
    private static final int PONG = 15;
    private static final int ANSWERS = 16;
    private static final int LOST = 17;
    private static final int EXPELLED = 18;

    private JoinCodec() {}

    /**
     * The bytes of a message.
     *
     * @throws IllegalArgumentException if a field is above its bound
     */
    public static byte[] encode(JoinMessage message) {
        JoinWriter out = new JoinWriter();
        switch (message) {
            case Hello m -> writeHello(head(out, HELLO), m);
            case Welcome m ->
                    head(out, WELCOME)
                            .i64(m.memberId())
                            .i32(m.worldSize())
                            .i64(m.formationNanosLeft())
                            .bytes(m.certificate(), JoinBounds.DER_BYTES_MAX, "certificate")
                            .bytes(m.authority(), JoinBounds.DER_BYTES_MAX, "authority");
            case Refused m -> head(out, REFUSED).reason(m.reason());
            case Ready m ->
                    writeAddresses(
                            head(out, READY)
                                    .text(m.process(), JoinBounds.NAME_BYTES_MAX, "process"),
                            m.addresses());
            case RosterPart m -> writeRosterPart(head(out, ROSTER_PART), m);
            case Linked _ -> head(out, LINKED);
            case LinkFailed m -> head(out, LINK_FAILED).i32(m.rank()).reason(m.reason());
            case Go _ -> head(out, GO);
            case Failed m -> writeFailed(head(out, FAILED), m);
            case Departed m ->
                    head(out, DEPARTED)
                            .i64(m.memberId())
                            .i32(m.rank())
                            .u8(m.orderly() ? 1 : 0)
                            .reason(m.reason());
            case Goodbye m -> head(out, GOODBYE).reason(m.reason());
            case Abort m -> head(out, ABORT).i32(m.rank()).reason(m.reason());
            case Ask m -> head(out, ASK).i64(m.memberId());
            case Ping _ -> head(out, PING);
            case Pong _ -> head(out, PONG);
            case Answers m -> head(out, ANSWERS).i64(m.memberId());
            case Lost m -> head(out, LOST).i64(m.memberId()).reason(m.reason());
            case Expelled m -> head(out, EXPELLED).reason(m.reason());
            case Observation m -> ObservationCodec.write(head(out, ObservationCodec.kind(m)), m);
        }
        return out.toBytes();
    }

    /**
     * The message in {@code bytes}.
     *
     * @param peer who sent it, for the error
     * @throws ProtocolException if it is none, of another version, or breaks a bound
     */
    public static JoinMessage decode(byte[] bytes, String peer) {
        JoinReader in = new JoinReader(bytes, peer);
        int magic = in.i32("magic");
        if (magic != MAGIC) {
            throw in.bad("begins with 0x%08x instead of NXRJ".formatted(magic));
        }
        int version = in.u16("version");
        int kind = in.u16("kind");
        if (version != VERSION && kind != REFUSED) {
            throw in.bad(
                    "kind " + kind + " of protocol version " + version + ", here is " + VERSION);
        }
        JoinMessage message = body(in, kind);
        in.requireEnd("kind " + kind);
        return message;
    }

    private static JoinMessage body(JoinReader in, int kind) {
        return switch (kind) {
            case HELLO -> readHello(in);
            case WELCOME ->
                    new Welcome(
                            in.notNegative("member id"),
                            in.i32Within(1, JoinBounds.WORLD_SIZE_MAX, "world size"),
                            in.notNegative("time left"),
                            in.bytes(JoinBounds.DER_BYTES_MAX, "certificate"),
                            in.bytes(JoinBounds.DER_BYTES_MAX, "authority"));
            case REFUSED -> new Refused(in.reason());
            case READY ->
                    new Ready(in.text(JoinBounds.NAME_BYTES_MAX, "process"), readAddresses(in));
            case ROSTER_PART -> readRosterPart(in);
            case LINKED -> new Linked();
            case LINK_FAILED -> new LinkFailed(rank(in), in.reason());
            case GO -> new Go();
            case FAILED -> readFailed(in);
            case DEPARTED ->
                    new Departed(
                            in.notNegative("member id"), rank(in), in.flag("orderly"), in.reason());
            case GOODBYE -> new Goodbye(in.reason());
            case ABORT -> new Abort(rank(in), in.reason());
            case ASK -> new Ask(in.notNegative("member id"));
            case PING -> new Ping();
            case PONG -> new Pong();
            case ANSWERS -> new Answers(in.notNegative("member id"));
            case LOST -> new Lost(in.notNegative("member id"), in.reason());
            case EXPELLED -> new Expelled(in.reason());
            default -> ObservationCodec.read(in, kind);
        };
    }

    private static JoinWriter head(JoinWriter out, int kind) {
        return out.i32(MAGIC).u16(VERSION).u16(kind);
    }

    private static int rank(JoinReader in) {
        return in.i32Within(JoinMessage.ANY, JoinBounds.WORLD_SIZE_MAX - 1, "rank");
    }

    private static void writeHello(JoinWriter out, Hello hello) {
        out.text(hello.job(), JoinBounds.NAME_BYTES_MAX, "job");
        out.text(hello.token(), JoinBounds.NAME_BYTES_MAX, "token");
        requireCount(hello.settings().size(), JoinBounds.SETTINGS_MAX, "settings");
        out.u16(hello.settings().size());
        new TreeMap<>(hello.settings())
                .forEach((key, value) ->
                        out.text(key, JoinBounds.SETTING_BYTES_MAX, "setting's name")
                                .text(value, JoinBounds.SETTING_BYTES_MAX, key));
        out.i32(hello.rank()).i32(hello.worldSize());
        out.text(hello.host(), JoinBounds.NAME_BYTES_MAX, "host").i64(hello.pid());
        out.bytes(hello.signingRequest(), JoinBounds.DER_BYTES_MAX, "signing request");
    }

    private static Hello readHello(JoinReader in) {
        String job = in.text(JoinBounds.NAME_BYTES_MAX, "job");
        String token = in.text(JoinBounds.NAME_BYTES_MAX, "token");
        Map<String, String> settings = new TreeMap<>();
        int count = in.count(JoinBounds.SETTINGS_MAX, "settings");
        for (int i = 0; i < count; i++) {
            String key = in.text(JoinBounds.SETTING_BYTES_MAX, "setting's name");
            if (settings.put(key, in.text(JoinBounds.SETTING_BYTES_MAX, "setting")) != null) {
                throw in.bad("a setting stands twice");
            }
        }
        return new Hello(
                job,
                token,
                settings,
                in.i32("rank"),
                in.i32("world size"),
                in.text(JoinBounds.NAME_BYTES_MAX, "host"),
                in.notNegative("pid"),
                in.bytes(JoinBounds.DER_BYTES_MAX, "signing request"));
    }

    private static void writeAddresses(JoinWriter out, List<PeerAddress> addresses) {
        requireCount(addresses.size(), JoinBounds.TRANSPORTS_MAX, "transports");
        out.u16(addresses.size());
        for (PeerAddress address : addresses) {
            out.text(address.transport(), JoinBounds.NAME_BYTES_MAX, "transport");
            requireCount(address.candidates().size(), JoinBounds.CANDIDATES_MAX, "candidates");
            out.u16(address.candidates().size());
            for (String candidate : address.candidates()) {
                out.text(candidate, JoinBounds.ADDRESS_BYTES_MAX, "address");
            }
        }
    }

    private static List<PeerAddress> readAddresses(JoinReader in) {
        int start = in.position();
        List<PeerAddress> addresses = new ArrayList<>();
        int transports = in.count(JoinBounds.TRANSPORTS_MAX, "transports");
        for (int i = 0; i < transports; i++) {
            String transport = in.text(JoinBounds.NAME_BYTES_MAX, "transport");
            List<String> candidates = new ArrayList<>();
            int count = in.count(JoinBounds.CANDIDATES_MAX, "candidates");
            for (int j = 0; j < count; j++) {
                candidates.add(in.text(JoinBounds.ADDRESS_BYTES_MAX, "address"));
            }
            addresses.add(new PeerAddress(transport, candidates));
        }
        if (in.position() - start > JoinBounds.ENTRY_BYTES_MAX) {
            throw in.bad("addresses above " + JoinBounds.ENTRY_BYTES_MAX + " bytes");
        }
        return addresses;
    }

    private static void writeRosterPart(JoinWriter out, RosterPart part) {
        requireCount(part.members().size(), JoinBounds.ROSTER_PART_MEMBERS, "members");
        out.i64(part.epoch()).i32(part.firstRank()).u16(part.members().size());
        for (Roster.Entry entry : part.members()) {
            out.i64(entry.member().id()).text(entry.host(), JoinBounds.NAME_BYTES_MAX, "host");
            out.text(entry.process(), JoinBounds.NAME_BYTES_MAX, "process");
            writeAddresses(out, entry.addresses());
        }
    }

    private static RosterPart readRosterPart(JoinReader in) {
        long epoch = in.notNegative("epoch");
        int firstRank = in.i32Within(0, JoinBounds.WORLD_SIZE_MAX - 1, "first rank");
        List<Roster.Entry> members = new ArrayList<>();
        int count = in.count(JoinBounds.ROSTER_PART_MEMBERS, "members");
        for (int i = 0; i < count; i++) {
            MemberId member = new MemberId(in.notNegative("member id"));
            String host = in.text(JoinBounds.NAME_BYTES_MAX, "host");
            String process = in.text(JoinBounds.NAME_BYTES_MAX, "process");
            members.add(new Roster.Entry(member, host, process, readAddresses(in)));
        }
        return new RosterPart(epoch, firstRank, members);
    }

    private static void writeFailed(JoinWriter out, Failed failed) {
        out.reason(failed.reason());
        int count = Math.min(failed.missingRanks().size(), JoinBounds.MISSING_MAX);
        out.u16(count);
        failed.missingRanks().subList(0, count).forEach(out::i32);
    }

    private static Failed readFailed(JoinReader in) {
        String reason = in.reason();
        List<Integer> missing = new ArrayList<>();
        int count = in.count(JoinBounds.MISSING_MAX, "missing ranks");
        for (int i = 0; i < count; i++) {
            missing.add(in.i32Within(0, JoinBounds.WORLD_SIZE_MAX - 1, "missing rank"));
        }
        return new Failed(reason, missing);
    }

    private static void requireCount(int count, int max, String what) {
        if (count > max) {
            throw new IllegalArgumentException(count + " " + what + " are above " + max);
        }
    }
}
