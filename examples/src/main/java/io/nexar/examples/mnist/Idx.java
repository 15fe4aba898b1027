package io.nexar.examples.mnist;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;

/**
 * Reads the two IDX forms that hold digits: big-endian 32-bit words (a magic number, then one size
 * a dimension), then one unsigned byte an element, first dimension outermost.
 *
 * <p>Source: Y. LeCun, C. Cortes, "The MNIST database of handwritten digits", file formats. Every
 * number is checked before memory is taken for it; what does not fit is an {@link
 * IllegalArgumentException} that names the file, the value and the rule.
 */
final class Idx {

    /** Two zero bytes, 08 for "unsigned byte", 01 for one dimension. */
    private static final int LABELS_MAGIC = 0x00000801;

    /** The same with three dimensions: image, row, column. */
    private static final int IMAGES_MAGIC = 0x00000803;

    /** A side of 4,096 pixels: far above 28, and rows * columns stays inside an int. */
    private static final int SIDE_MAX = 4096;

    private final String name;
    private final int fileBytes;
    private final DataInputStream in;

    private Idx(String name, byte[] file) {
        this.name = name;
        this.fileBytes = file.length;
        this.in = new DataInputStream(new ByteArrayInputStream(file));
    }

    /** Images of one size: pixel (i, y, x) lies at {@code (i * rows + y) * columns + x}. */
    record Images(int count, int rows, int columns, byte[] pixels) {}

    static Images images(String name, byte[] file) {
        Idx idx = new Idx(name, file);
        try {
            idx.expectMagic(IMAGES_MAGIC, "images");
            int count = idx.size("count", Integer.MAX_VALUE);
            int rows = idx.size("rows", SIDE_MAX);
            int columns = idx.size("columns", SIDE_MAX);
            return new Images(count, rows, columns, idx.rest((long) count * rows * columns));
        } catch (IOException e) {
            throw idx.tooShort(e);
        }
    }

    static byte[] labels(String name, byte[] file) {
        Idx idx = new Idx(name, file);
        try {
            idx.expectMagic(LABELS_MAGIC, "labels");
            return idx.rest(idx.size("count", Integer.MAX_VALUE));
        } catch (IOException e) {
            throw idx.tooShort(e);
        }
    }

    private void expectMagic(int magic, String what) throws IOException {
        int found = in.readInt();
        if (found != magic) {
            throw refused(
                    "begins with 0x%08x, IDX %s begin with 0x%08x".formatted(found, what, magic));
        }
    }

    private int size(String dimension, int max) throws IOException {
        int size = in.readInt();
        if (size < 1 || size > max) {
            throw refused("says %s=%d, allowed are 1 to %d".formatted(dimension, size, max));
        }
        return size;
    }

    private byte[] rest(long bytes) throws IOException {
        if (bytes != in.available()) {
            throw refused(
                    "has %d bytes of data, its sizes say %d".formatted(in.available(), bytes));
        }
        return in.readAllBytes();
    }

    private IllegalArgumentException tooShort(IOException cause) {
        if (!(cause instanceof EOFException)) {
            throw new IllegalStateException("reading " + name + " from memory failed", cause);
        }
        IllegalArgumentException e =
                refused("ends inside its header, after %d bytes".formatted(fileBytes));
        e.initCause(cause);
        return e;
    }

    private IllegalArgumentException refused(String why) {
        return new IllegalArgumentException(name + " " + why);
    }
}
