package io.nexar.property;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.DataBuffer;
import io.nexar.DataType;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Memory of a call in the middle of other memory, at a shifted place: what lies around it is
 * remembered and must not change.
 */
final class Area {
    /** Elements on each side, beyond the offset. */
    private static final int GUARD = 4;

    private static final List<Integer> OFFSETS = List.of(0, 1, 3, 7);

    private final DataBuffer whole;
    private final DataBuffer inner;
    private final long begin;
    private final byte[] before;

    private Area(DataBuffer whole, long begin, long count, RandomGenerator random) {
        this.whole = whole;
        this.begin = begin;
        this.inner = whole.slice(begin, count);
        byte[] junk = new byte[Math.toIntExact(whole.byteSize())];
        random.nextBytes(junk);
        MemorySegment.copy(junk, 0, whole.segment(), ValueLayout.JAVA_BYTE, 0, junk.length);
        this.before = junk;
    }

    /** Room for that many elements, on the heap or off it, filled with junk. */
    static Area of(DataType type, long count, RandomGenerator random) {
        long begin = (long) GUARD + OFFSETS.get(random.nextInt(OFFSETS.size()));
        int room = Math.toIntExact(begin + count + GUARD);
        DataBuffer whole =
                switch (random.nextInt(3)) {
                    case 0 -> DataBuffer.allocate(type, room);
                    case 1 ->
                            DataBuffer.of(
                                    ByteBuffer.allocateDirect(room * type.bytes())
                                            .order(ByteOrder.nativeOrder()),
                                    type);
                    default -> array(type, room);
                };
        return new Area(whole, begin, count, random);
    }

    /** The same, with those elements in it. */
    static Area holding(DataType type, List<Element> elements, RandomGenerator random) {
        Area area = of(type, elements.size(), random);
        area.put(0, elements);
        return area;
    }

    DataBuffer buffer() {
        return inner;
    }

    DataBuffer slice(long offset, long count) {
        return inner.slice(offset, count);
    }

    /** Writes elements from that one on. */
    void put(long offset, List<Element> elements) {
        DataBuffer part = inner.slice(offset, elements.size());
        Elements.write(part.segment(), inner.dataType(), elements);
        long at = (begin + offset) * inner.dataType().bytes();
        MemorySegment.copy(
                part.segment(),
                ValueLayout.JAVA_BYTE,
                0,
                before,
                Math.toIntExact(at),
                Math.toIntExact(part.byteSize()));
    }

    List<Element> elements() {
        return Elements.read(inner.segment(), inner.dataType());
    }

    /** What lies around is as it was. */
    void requireGuards(String what) {
        int from = Math.toIntExact(begin * inner.dataType().bytes());
        int to = Math.toIntExact(from + inner.byteSize());
        byte[] now = whole.segment().toArray(ValueLayout.JAVA_BYTE);
        for (int i = 0; i < now.length; i++) {
            if ((i < from || i >= to) && now[i] != before[i]) {
                throw new AssertionError(
                        "%s: byte %d changed, beside %d to %d".formatted(what, i, from, to));
            }
        }
    }

    /** Nothing at all has changed. */
    void requireUntouched(String what) {
        assertThat(whole.segment().toArray(ValueLayout.JAVA_BYTE)).as(what).isEqualTo(before);
    }

    private static DataBuffer array(DataType type, int count) {
        return switch (type) {
            case F64 -> DataBuffer.of(new double[count]);
            case F32 -> DataBuffer.of(new float[count]);
            case F16, BF16, I16, U16 -> DataBuffer.of(new short[count], type);
            case I8, U8 -> DataBuffer.of(new byte[count], type);
            case I32, U32 -> DataBuffer.of(new int[count], type);
            case I64, U64 -> DataBuffer.of(new long[count], type);
            case F32_I32, I32_I32 -> DataBuffer.of(MemorySegment.ofArray(new int[2 * count]), type);
            case F64_I64, I64_I64 ->
                    DataBuffer.of(MemorySegment.ofArray(new long[2 * count]), type);
        };
    }
}
