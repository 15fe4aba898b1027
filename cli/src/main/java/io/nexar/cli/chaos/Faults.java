package io.nexar.cli.chaos;

import java.time.Duration;

/**
 * What a network does to one direction. TCP has only the delay and the cut, for the kernel's TCP
 * would make up for the rest.
 *
 * @param lossRate the part of all datagrams that is lost, 0 to 1
 * @param duplicateRate the part that arrives twice
 * @param lateRate the part that is late, so that others overtake it
 * @param late how much later such a datagram comes, at most
 * @param delay of everything
 * @param datagramBytesMax larger datagrams vanish, as behind a tunnel that tells nobody its MTU
 * @param bytesPerSecond what the path takes; {@link #UNLIMITED} for no limit
 * @param isCut nothing passes: datagrams are lost, the bytes of a connection wait
 */
public record Faults(
        double lossRate,
        double duplicateRate,
        double lateRate,
        Duration late,
        Duration delay,
        int datagramBytesMax,
        long bytesPerSecond,
        boolean isCut) {

    public static final long UNLIMITED = Long.MAX_VALUE;

    /** The largest payload that UDP over IPv4 can carry. */
    static final int DATAGRAM_BYTES_MAX = 65_507;

    /** A perfect network. */
    public static final Faults NONE =
            new Faults(0, 0, 0, Duration.ZERO, Duration.ZERO, DATAGRAM_BYTES_MAX, UNLIMITED, false);

    public Faults {
        requireRate("loss", lossRate);
        requireRate("duplicate", duplicateRate);
        requireRate("late", lateRate);
        if (late.isNegative() || delay.isNegative()) {
            throw new IllegalArgumentException(
                    "late " + late + " and delay " + delay + " must not be negative");
        }
        if (datagramBytesMax < 1 || bytesPerSecond < 1) {
            throw new IllegalArgumentException(
                    "datagramBytesMax %d and bytesPerSecond %d must be at least 1"
                            .formatted(datagramBytesMax, bytesPerSecond));
        }
    }

    private static void requireRate(String name, double rate) {
        if (!(rate >= 0 && rate <= 1)) {
            throw new IllegalArgumentException(name + " rate " + rate + " is not within 0 to 1");
        }
    }

    public Faults withLoss(double rate) {
        return new Faults(
                rate,
                duplicateRate,
                lateRate,
                late,
                delay,
                datagramBytesMax,
                bytesPerSecond,
                isCut);
    }

    public Faults withDuplicates(double rate) {
        return new Faults(
                lossRate, rate, lateRate, late, delay, datagramBytesMax, bytesPerSecond, isCut);
    }

    public Faults withLate(double rate, Duration atMost) {
        return new Faults(
                lossRate,
                duplicateRate,
                rate,
                atMost,
                delay,
                datagramBytesMax,
                bytesPerSecond,
                isCut);
    }

    public Faults withDelay(Duration all) {
        return new Faults(
                lossRate,
                duplicateRate,
                lateRate,
                late,
                all,
                datagramBytesMax,
                bytesPerSecond,
                isCut);
    }

    public Faults withDatagramBytesMax(int bytes) {
        return new Faults(
                lossRate, duplicateRate, lateRate, late, delay, bytes, bytesPerSecond, isCut);
    }

    public Faults withBytesPerSecond(long bytes) {
        return new Faults(
                lossRate, duplicateRate, lateRate, late, delay, datagramBytesMax, bytes, isCut);
    }

    public Faults withCut(boolean cut) {
        return new Faults(
                lossRate,
                duplicateRate,
                lateRate,
                late,
                delay,
                datagramBytesMax,
                bytesPerSecond,
                cut);
    }
}
