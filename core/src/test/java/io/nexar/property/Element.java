package io.nexar.property;

/**
 * One element as its bits, in the low end of each long.
 *
 * @param bits of the value
 * @param index of a pair; 0 of other types
 */
record Element(long bits, long index) {
    static Element of(long bits) {
        return new Element(bits, 0);
    }

    @Override
    public String toString() {
        return "0x" + Long.toHexString(bits) + (index == 0 ? "" : "@" + index);
    }
}
