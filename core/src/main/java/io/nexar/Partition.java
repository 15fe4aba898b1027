package io.nexar;

/**
 * How {@code total} elements are shared among {@code parts} ranks: {@code total / parts} each, and
 * one more for the first {@code total % parts}. Parts lie one after the other, so the part of rank
 * r is the range from {@code offset(r)}, {@code count(r)} long; with more parts than elements the
 * last parts are empty.
 *
 * @param total how many elements there are, 0 or more
 * @param parts how many ranks share them, 1 or more
 */
public record Partition(long total, int parts) {

    public Partition {
        if (total < 0) {
            throw new IllegalArgumentException("total " + total + ": must be 0 or more");
        }
        if (parts < 1) {
            throw new IllegalArgumentException("parts " + parts + ": must be 1 or more");
        }
    }

    /**
     * Where a part begins, in elements. {@code offset(parts())} is the total, so that a part ends
     * where the next one would begin.
     *
     * @throws IndexOutOfBoundsException if {@code part} is not in 0 to {@code parts()}
     */
    public long offset(int part) {
        if (part < 0 || part > parts) {
            throw new IndexOutOfBoundsException("part " + part + ": not in 0 to " + parts);
        }
        return total / parts * part + Math.min(part, total % parts);
    }

    /**
     * How many elements a part has.
     *
     * @throws IndexOutOfBoundsException if {@code part} is not in 0 to {@code parts() - 1}
     */
    public long count(int part) {
        if (part < 0 || part >= parts) {
            throw new IndexOutOfBoundsException("part " + part + ": not in 0 to " + (parts - 1));
        }
        return total / parts + (part < total % parts ? 1 : 0);
    }

    /** The longest part's count: that of part 0. */
    public long countMax() {
        return count(0);
    }
}
