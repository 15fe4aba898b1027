package io.nexar.cli.chaos;

import io.nexar.MemberId;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/**
 * Bad weather drawn from one random seed: a level of loss, doubles, lateness and delay for the
 * whole job, and a cut now and then. Time is divided into equal periods; each has one cut, of
 * everything or of one member, both ways or one, that begins and ends within it.
 *
 * <p>Bad, but within what a job must survive: a cut is shorter than the silence that counts as
 * death.
 */
public final class ChaosSchedule implements Weather {

    /** 5 %: above that a network is broken, not bad. */
    private static final double LOSS_MAX = 0.05;

    private static final double DUPLICATE_MAX = 0.05;

    /** Late datagrams that are overtaken look like lost ones to QUIC, and cost as much. */
    private static final double LATE_MAX = 0.05;

    private static final int LATE_MILLIS_MAX = 20;

    /** One way; a round trip of 10 ms is another city's. */
    private static final int DELAY_MILLIS_MAX = 5;

    /** Seldom enough that most of the time there is work done. */
    private static final int PERIOD_MILLIS_MIN = 6_000;

    private static final int PERIOD_MILLIS_MAX = 15_000;

    private static final int CUT_MILLIS_MIN = 100;

    /** Silence becomes suspicious after 5 s; this leaves room for what comes after a cut. */
    private static final int CUT_MILLIS_MAX = 2_000;

    /** How many cuts {@link #lines} lists; they never end. */
    private static final int LISTED_CUTS = 3;

    /** Which way a cut goes. */
    private enum Way {
        BOTH,
        INWARD,
        OUTWARD
    }

    private record Cut(long fromMillis, long millis, boolean isEverywhere, long member, Way way) {

        boolean hits(MemberId place, long nowMillis) {
            boolean isNow = nowMillis >= fromMillis && nowMillis < fromMillis + millis;
            return isNow && (isEverywhere || place.id() == member);
        }
    }

    private final long randomSeed;
    private final int members;
    private final Faults faults;
    private final long periodMillis;
    private final Conditions usual;
    private final Conditions cut;
    private final Conditions cutInward;
    private final Conditions cutOutward;

    private ChaosSchedule(long randomSeed, int members) {
        this.randomSeed = randomSeed;
        this.members = members;
        SplittableRandom random = new SplittableRandom(randomSeed);
        this.faults =
                Faults.NONE
                        .withLoss(random.nextDouble(LOSS_MAX))
                        .withDuplicates(random.nextDouble(DUPLICATE_MAX))
                        .withLate(
                                random.nextDouble(LATE_MAX),
                                Duration.ofMillis(random.nextInt(1, LATE_MILLIS_MAX + 1)))
                        .withDelay(Duration.ofMillis(random.nextInt(DELAY_MILLIS_MAX + 1)));
        this.periodMillis = random.nextInt(PERIOD_MILLIS_MIN, PERIOD_MILLIS_MAX + 1);
        Faults none = faults.withCut(true);
        this.usual = Conditions.both(faults);
        this.cut = Conditions.both(none);
        this.cutInward = new Conditions(none, faults);
        this.cutOutward = new Conditions(faults, none);
    }

    /**
     * Draws a schedule.
     *
     * @param members how many the job has
     */
    public static ChaosSchedule draw(long randomSeed, int members) {
        return new ChaosSchedule(randomSeed, members);
    }

    @Override
    public Conditions at(MemberId place, long nanos) {
        long millis = nanos / 1_000_000;
        Cut now = cutOf(millis / periodMillis);
        if (!now.hits(place, millis)) {
            return usual;
        }
        return switch (now.way()) {
            case BOTH -> cut;
            case INWARD -> cutInward;
            case OUTWARD -> cutOutward;
        };
    }

    private Cut cutOf(long period) {
        SplittableRandom random = new SplittableRandom(randomSeed ^ ~period).split();
        long millis = random.nextInt(CUT_MILLIS_MIN, CUT_MILLIS_MAX + 1);
        return new Cut(
                period * periodMillis + random.nextLong(periodMillis - millis),
                millis,
                random.nextBoolean(),
                random.nextLong(members),
                Way.values()[random.nextInt(Way.values().length)]);
    }

    /** For people: what was drawn. */
    public List<String> lines() {
        String level =
                String.format(
                        Locale.ROOT,
                        "loss %.1f %%, doubles %.1f %%, %.1f %% late by up to %d ms, delay %d ms",
                        100 * faults.lossRate(),
                        100 * faults.duplicateRate(),
                        100 * faults.lateRate(),
                        faults.late().toMillis(),
                        faults.delay().toMillis());
        Stream<String> cuts =
                LongStream.range(0, LISTED_CUTS).mapToObj(this::cutOf).map(this::told);
        return Stream.concat(Stream.of(level + "; a cut every " + seconds(periodMillis)), cuts)
                .toList();
    }

    private String told(Cut each) {
        String where = each.isEverywhere() ? "everybody" : "member " + each.member();
        String how =
                switch (each.way()) {
                    case BOTH -> "cut off";
                    case INWARD -> "not reached";
                    case OUTWARD -> "not heard";
                };
        return "after %s: %s %s for %s"
                .formatted(seconds(each.fromMillis()), where, how, seconds(each.millis()));
    }

    private static String seconds(long millis) {
        return String.format(Locale.ROOT, "%.1f s", millis / 1000.0);
    }
}
