package io.nexar.collective.plan;

/** {@code slots} neighbouring slots of a buffer. */
public record Range(BufferRole buffer, int firstSlot, int slots) {
    public Range {
        if (firstSlot < 0 || slots < 0) {
            throw new IllegalArgumentException(
                    "range of %d slots from slot %d".formatted(slots, firstSlot));
        }
    }

    public static Range input(int firstSlot, int slots) {
        return new Range(BufferRole.INPUT, firstSlot, slots);
    }

    public static Range output(int firstSlot, int slots) {
        return new Range(BufferRole.OUTPUT, firstSlot, slots);
    }

    public static Range scratch(int firstSlot, int slots) {
        return new Range(BufferRole.SCRATCH, firstSlot, slots);
    }

    /** Whether they have a slot in common; aliasing of buffers is {@link Conflicts}' matter. */
    public boolean overlaps(Range other) {
        return buffer == other.buffer
                && slots > 0
                && other.slots > 0
                && firstSlot < other.firstSlot + other.slots
                && other.firstSlot < firstSlot + slots;
    }

    @Override
    public String toString() {
        return slots == 1
                ? "%s[%d]".formatted(buffer, firstSlot)
                : "%s[%d..+%d]".formatted(buffer, firstSlot, slots);
    }
}
