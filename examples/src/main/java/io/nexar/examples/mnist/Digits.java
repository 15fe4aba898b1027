package io.nexar.examples.mnist;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPInputStream;

/**
 * Handwritten digits with their labels. A pixel is 0 (paper) to 1 (ink); image {@code i} lies at
 * {@code i * pixelsPerImage}. Immutable by agreement: nobody writes the arrays.
 */
record Digits(int pixelsPerImage, float[] pixels, byte[] labels) {

    /** The digits 0 to 9. */
    static final int CLASSES = 10;

    /**
     * One digit in five is held out, by its place in the file and not by chance: 8,000 of the
     * 10,000 train and the same 2,000 are held out whatever the random seed, from all parts of the
     * file.
     */
    private static final int HELD_OUT_EVERY = 5;

    private static final String IMAGES = "mnist-10k-images.idx3-ubyte.gz";
    private static final String LABELS = "mnist-10k-labels.idx1-ubyte.gz";
    private static final float WHITE = 255f;

    /** The digits to train on and those held out to score by; no digit is in both. */
    record Split(Digits training, Digits heldOut) {}

    int count() {
        return labels.length;
    }

    /** The 10,000 bundled digits. */
    static Digits bundled() {
        return of(Idx.images(IMAGES, unzipped(IMAGES)), Idx.labels(LABELS, unzipped(LABELS)));
    }

    static Digits of(Idx.Images images, byte[] labels) {
        if (images.count() != labels.length) {
            throw new IllegalArgumentException(
                    "%d images but %d labels: one a digit is wanted"
                            .formatted(images.count(), labels.length));
        }
        for (int i = 0; i < labels.length; i++) {
            if (labels[i] < 0 || labels[i] >= CLASSES) {
                throw new IllegalArgumentException(
                        "label %d is %d, labels are 0 to 9".formatted(i, labels[i] & 0xff));
            }
        }
        float[] pixels = new float[images.pixels().length];
        for (int i = 0; i < pixels.length; i++) {
            pixels[i] = (images.pixels()[i] & 0xff) / WHITE;
        }
        return new Digits(images.rows() * images.columns(), pixels, labels);
    }

    Split split() {
        int heldOut = count() / HELD_OUT_EVERY;
        int[] trainingAt = new int[count() - heldOut];
        int[] heldOutAt = new int[heldOut];
        int held = 0;
        for (int i = 0; i < count(); i++) {
            if (i % HELD_OUT_EVERY == HELD_OUT_EVERY - 1) {
                heldOutAt[held++] = i;
            } else {
                trainingAt[i - held] = i;
            }
        }
        return new Split(select(trainingAt), select(heldOutAt));
    }

    private Digits select(int[] places) {
        float[] chosenPixels = new float[places.length * pixelsPerImage];
        byte[] chosenLabels = new byte[places.length];
        for (int i = 0; i < places.length; i++) {
            int from = places[i] * pixelsPerImage;
            System.arraycopy(pixels, from, chosenPixels, i * pixelsPerImage, pixelsPerImage);
            chosenLabels[i] = labels[places[i]];
        }
        return new Digits(pixelsPerImage, chosenPixels, chosenLabels);
    }

    private static byte[] unzipped(String name) {
        try (InputStream resource = Digits.class.getResourceAsStream(name)) {
            if (resource == null) {
                throw new IllegalStateException("the digits are not beside the program: " + name);
            }
            return new GZIPInputStream(resource).readAllBytes();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the bundled " + name, e);
        }
    }
}
