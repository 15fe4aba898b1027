package io.nexar.compress;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.nexar.CompressionState;
import io.nexar.CompressionState.Method;
import io.nexar.spi.Compressor;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.lang.foreign.MemorySegment;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

/** Compressors against plain loops, and against bytes that no compressor writes. */
@Timeout(60)
class CompressorsTest {
    private static final List<Method> METHODS =
            List.of(
                    new Method.None(),
                    new Method.TopK(0.1),
                    new Method.RandomK(0.1, 7),
                    new Method.Quantize8());

    @Test
    void topKSendsTheLargestMagnitudesAndOfEqualOnesTheFirst() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            float[] values = values(random, random.nextInt(2000));
            double fraction = random.nextInt(1, 101) / 100.0;
            int wanted = (int) Fraction.of(values.length, fraction);
            float[] expected = new float[values.length];
            IntStream.range(0, values.length)
                    .boxed()
                    .sorted(Comparator.comparingDouble(i -> -Math.abs(values[i])))
                    .limit(wanted)
                    .forEach(i -> expected[i] = values[i]);

            float[] got = roundTrip(new TopK(fraction), values);

            // Zeros are not sent, so that a negative one arrives as a positive one.
            assertThat(got)
                    .as("seed %d", seed)
                    .usingComparatorWithPrecision(0f)
                    .isEqualTo(expected);
        }
    }

    @Test
    void topKSendsAtLeastOneAndEightBytesEach() {
        float[] values = {0, -3, 3, 1e-40f, 0};
        assertThat(compress(new TopK(0.01), values)).hasSize(8);
        assertThat(roundTrip(new TopK(0.01), values)).containsExactly(0, -3, 0, 0, 0);
        assertThat(compress(new TopK(1), values)).as("zeros stay here").hasSize(24);
        assertThat(compress(new TopK(1), new float[0])).isEmpty();
    }

    @Test
    void quantize8IsWithinHalfAScaleOfEachValue() {
        for (int seed = 0; seed < 100; seed++) {
            Random random = new Random(seed);
            float[] values = values(random, random.nextInt(1500));

            float[] got = roundTrip(new Quantize8(), values);

            for (int first = 0; first < values.length; first += 256) {
                int end = Math.min(first + 256, values.length);
                float largest = 0;
                for (int i = first; i < end; i++) {
                    largest = Math.max(largest, Math.abs(values[i]));
                }
                for (int i = first; i < end; i++) {
                    double steps = Math.rint(values[i] / (double) (largest / 127));
                    float expected = largest == 0 ? 0 : (float) steps * (largest / 127);
                    assertThat(got[i]).as("seed %d, value %d", seed, i).isEqualTo(expected);
                    assertThat((double) Math.abs(got[i] - values[i]))
                            .as("seed %d, value %d", seed, i)
                            .isLessThanOrEqualTo(largest / 127 * 0.500001);
                }
            }
        }
    }

    @Test
    void quantize8TakesTheLargestAndTheSmallestNumbers() {
        float max = Float.MAX_VALUE;
        assertThat(roundTrip(new Quantize8(), new float[] {max, -max, 0}))
                .satisfies(got -> assertThat(got[0]).isFinite().isGreaterThan(max * 0.999999f))
                .satisfies(got -> assertThat(got[1]).isEqualTo(-got[0]))
                .satisfies(got -> assertThat(got[2]).isZero());
        // Too small for a scale of their own: left out as a whole.
        assertThat(roundTrip(new Quantize8(), new float[] {Float.MIN_VALUE})).containsExactly(0);
        // A scale that is rounded down a lot makes more than 127 steps, which are cut.
        float rounded = Float.MIN_VALUE * 180;
        assertThat(roundTrip(new Quantize8(), new float[] {rounded}))
                .containsExactly(127 * Float.MIN_VALUE);
    }

    @Test
    void randomKDrawsTheSamePlacesFromASeedAndOthersWithEachDraw() {
        float[] values = new float[1000];
        for (int i = 0; i < values.length; i++) {
            values[i] = i + 1;
        }
        int[] drawn = new int[values.length];
        for (int draw = 0; draw < 2000; draw++) {
            float[] got = roundTrip(new RandomK(0.05, 3, draw), values);
            int count = 0;
            for (int i = 0; i < got.length; i++) {
                if (got[i] != 0) {
                    assertThat(got[i]).isEqualTo(values[i]);
                    drawn[i]++;
                    count++;
                }
            }
            assertThat(count).as("draw %d", draw).isEqualTo(50);
        }
        // 100 are expected of each place, with a deviation of about 10.
        assertThat(Arrays.stream(drawn).min().orElseThrow()).isGreaterThan(50);
        assertThat(Arrays.stream(drawn).max().orElseThrow()).isLessThan(150);
    }

    @Test
    void noneLosesNoBit() {
        float[] values = {1, -0f, Float.intBitsToFloat(0x7FC0_1234), Float.POSITIVE_INFINITY};
        float[] got = roundTrip(new None(), values);
        for (int i = 0; i < values.length; i++) {
            assertThat(Float.floatToRawIntBits(got[i]))
                    .isEqualTo(Float.floatToRawIntBits(values[i]));
        }
    }

    @Test
    void whatIsLeftOutArrivesLaterSoThatNothingIsLost() {
        for (Method method : METHODS.subList(1, METHODS.size())) {
            Random random = new Random(11);
            double[] truth = new double[700];
            double[] applied = new double[truth.length];
            float[] residual = new float[truth.length];
            for (int call = 0; call < 300; call++) {
                float[] values = values(random, truth.length);
                float[] rest = new float[truth.length];
                ErrorFeedback.add(of(values), of(residual), of(rest));
                float[] sent = roundTrip(Compressors.of(method, call), rest);
                double norm = ErrorFeedback.subtract(of(sent), of(rest));
                double squares = 0;
                for (int i = 0; i < truth.length; i++) {
                    truth[i] += values[i];
                    applied[i] += sent[i];
                    squares += (double) rest[i] * rest[i];
                }
                assertThat(norm).isEqualTo(Math.sqrt(squares));
                residual = rest;
            }
            for (int i = 0; i < truth.length; i++) {
                assertThat(applied[i] + residual[i])
                        .as("%s, value %d", method, i)
                        .isCloseTo(truth[i], within(1e-2));
            }
        }
    }

    @Test
    void nanAndInfinityAreRefusedBeforeTheyCouldStayInTheResidual() {
        float[] residual = {Float.MAX_VALUE, 0, 0};
        for (float[] bad :
                new float[][] {
                    {0, Float.NaN, 0}, {0, 0, Float.NEGATIVE_INFINITY}, {Float.MAX_VALUE, 0, 0}
                }) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> ErrorFeedback.add(of(bad), of(residual), of(new float[3])))
                    .withMessageContaining("element ");
        }
    }

    @Test
    void indicesTwiceOrOutOfRangeNanAndWrongLengthsAreRefused() {
        TopK top = new TopK(0.5); // of 6 values: 3 entries at most
        refused(top, 6, entries(1, 2f, 1, 3f), "index 1 after 1, of 6 values");
        refused(top, 6, entries(2, 2f, 1, 3f), "index 1 after 2");
        refused(top, 6, entries(6, 2f), "index 6 after -1, of 6 values");
        refused(top, 6, entries(-1, 2f), "index -1");
        refused(top, 6, entries(0, Float.NaN), "value 0 is NaN");
        refused(top, 6, entries(0, Float.NEGATIVE_INFINITY), "value 0 is -Infinity");
        refused(top, 6, entries(0, 1f, 1, 1f, 2, 1f, 3, 1f), "at most 24 together");
        refused(top, 6, new byte[7], "7 bytes");
        refused(top, 0, entries(0, 1f), "of 0 values at most 0");
        refused(new RandomK(0.5, 1, 0), 4, floats(1f, Float.NaN), "is NaN");
        refused(new RandomK(0.5, 1, 0), 4, floats(1f), "4 bytes where these values have 8");
        refused(new None(), 4, floats(1f, 2f, 3f), "12 bytes where these values have 16");
        refused(new Quantize8(), 1, new byte[6], "6 bytes where these values have 5");
        refused(new Quantize8(), 1, new byte[] {0, 0, 0, 0, -128}, "value 0 has -128 steps");
        byte[] nanScale = Arrays.copyOf(floats(Float.NaN), 5);
        refused(new Quantize8(), 1, nanScale, "the scale of the block from value 0 is NaN");
        refused(new Quantize8(), 1, Arrays.copyOf(floats(-1f), 5), "is -1.0");
        refused(new Quantize8(), 1, Arrays.copyOf(floats(Float.MAX_VALUE), 5), "scale");
    }

    @Test
    void spoiledBytesAreRefusedOrMakeFiniteNumbersAndNothingElse() {
        int refused = 0;
        for (int seed = 0; seed < 4000; seed++) {
            Random random = new Random(seed);
            Method method = METHODS.get(1 + random.nextInt(3));
            Compressor compressor = Compressors.of(method, seed);
            int count = random.nextInt(600);
            byte[] bytes = spoil(random, compress(compressor, values(random, count)));
            float[] area = new float[count + 2]; // with a guard at both ends
            Arrays.fill(area, 42);
            try {
                compressor.decompress(
                        MemorySegment.ofArray(bytes).asReadOnly(),
                        of(area).asSlice(Float.BYTES, (long) count * Float.BYTES));
                boolean isFinite = true;
                for (float value : area) {
                    isFinite &= Float.isFinite(value);
                }
                assertThat(isFinite).as("seed %d, %s", seed, method).isTrue();
            } catch (IllegalArgumentException expected) {
                refused++;
            }
            assertThat(area[0]).as("seed %d, %s", seed, method).isEqualTo(42);
            assertThat(area[count + 1]).as("seed %d, %s", seed, method).isEqualTo(42);
        }
        assertThat(refused).isGreaterThan(1000);
    }

    @Test
    void aFractionMustBeMoreThanZeroAndAtMostOne() {
        for (double fraction : new double[] {0, -1, 1.001, Double.NaN}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> CompressionState.topK(fraction))
                    .withMessageContaining("must be more than 0 and at most 1");
        }
    }

    private static byte[] spoil(Random random, byte[] bytes) {
        byte[] spoiled =
                random.nextInt(4) == 0
                        ? Arrays.copyOf(bytes, random.nextInt(bytes.length + 9))
                        : bytes;
        for (int i = random.nextInt(4); i > 0 && spoiled.length > 0; i--) {
            spoiled[random.nextInt(spoiled.length)] = (byte) random.nextInt();
        }
        return spoiled;
    }

    private static void refused(Compressor compressor, int count, byte[] bytes, String why) {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        compressor.decompress(MemorySegment.ofArray(bytes), of(new float[count])))
                .withMessageContaining(why);
    }

    private static byte[] entries(Number... parts) {
        byte[] bytes = new byte[parts.length * 4];
        for (int i = 0; i < parts.length; i += 2) {
            MemorySegment.ofArray(bytes).set(WireValues.I32, i * 4L, parts[i].intValue());
            MemorySegment.ofArray(bytes).set(WireValues.F32, i * 4L + 4, parts[i + 1].floatValue());
        }
        return bytes;
    }

    private static byte[] floats(float... values) {
        return compress(new None(), values);
    }

    /** Of very different sizes, with equal magnitudes and zeros among them. */
    private static float[] values(Random random, int count) {
        float[] values = new float[count];
        for (int i = 0; i < count; i++) {
            values[i] =
                    switch (random.nextInt(4)) {
                        case 0 -> 0;
                        case 1 -> random.nextInt(-3, 4);
                        default -> (float) random.nextGaussian();
                    };
        }
        return values;
    }

    private static float[] roundTrip(Compressor compressor, float[] values) {
        float[] got = new float[values.length];
        Arrays.fill(got, Float.NaN);
        compressor.decompress(MemorySegment.ofArray(compress(compressor, values)), of(got));
        return got;
    }

    private static byte[] compress(Compressor compressor, float[] values) {
        byte[] bytes = new byte[(int) compressor.compressedBytesMax(values.length)];
        long written = compressor.compress(of(values).asReadOnly(), MemorySegment.ofArray(bytes));
        return Arrays.copyOf(bytes, (int) written);
    }

    private static MemorySegment of(float[] values) {
        return MemorySegment.ofArray(values);
    }
}
