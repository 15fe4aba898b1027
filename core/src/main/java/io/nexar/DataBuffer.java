package io.nexar;

import static io.nexar.DataType.F32;
import static io.nexar.DataType.F64;
import static io.nexar.DataType.I16;
import static io.nexar.DataType.I32;
import static io.nexar.DataType.I64;
import static io.nexar.DataType.I8;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * A typed view of the caller's memory: of an array, a memory segment or a byte buffer. It never
 * copies and never owns; what is written to the memory is seen through the view and the other way
 * round.
 *
 * <p>What a communicator can't use is refused when the view is made, with an {@link
 * IllegalArgumentException} that names the value and the rule: a range outside the array, a type
 * that is not of the array's width and family, memory that only one thread may touch, a byte order
 * that is not the machine's, an address that is no multiple of the type's {@link
 * DataType#alignmentBytes()} (so also a {@code byte[]} seen as a wider type), a size that is no
 * whole number of elements. A null is a {@link NullPointerException}.
 *
 * <p>Buffers are immutable and safe to share between threads; the memory behind them is as safe as
 * the caller makes it. While an operation runs, its send buffers may be read and must not be
 * written, its receive buffers must not be touched. Memory of a shared arena must stay open until
 * the operation is over: closing it earlier fails or waits.
 *
 * <p>Heap arrays are simplest; {@link #allocate} gives the fastest memory to communicate in.
 */
public final class DataBuffer {
    private final MemorySegment segment;
    private final DataType type;
    private final long count;

    private DataBuffer(MemorySegment segment, DataType type, long count) {
        this.segment = segment;
        this.type = type;
        this.count = count;
    }

    /** A view of the whole array as {@code F64}. */
    public static DataBuffer of(double[] a) {
        return of(a, 0, a.length);
    }

    /** A view of {@code count} elements from index {@code offset} as {@code F64}. */
    public static DataBuffer of(double[] a, int offset, int count) {
        return of(a, offset, count, F64);
    }

    /** A view of the whole array as {@code type}: {@code F64} only. */
    public static DataBuffer of(double[] a, DataType type) {
        return of(a, 0, a.length, type);
    }

    /**
     * A view of {@code count} elements from index {@code offset} as {@code type}: {@code F64} only.
     */
    public static DataBuffer of(double[] a, int offset, int count, DataType type) {
        return BufferChecks.ofArray(MemorySegment.ofArray(a), F64, type, offset, count);
    }

    /** A view of the whole array as {@code F32}. */
    public static DataBuffer of(float[] a) {
        return of(a, 0, a.length);
    }

    /** A view of {@code count} elements from index {@code offset} as {@code F32}. */
    public static DataBuffer of(float[] a, int offset, int count) {
        return of(a, offset, count, F32);
    }

    /** A view of the whole array as {@code type}: {@code F32} only. */
    public static DataBuffer of(float[] a, DataType type) {
        return of(a, 0, a.length, type);
    }

    /**
     * A view of {@code count} elements from index {@code offset} as {@code type}: {@code F32} only.
     */
    public static DataBuffer of(float[] a, int offset, int count, DataType type) {
        return BufferChecks.ofArray(MemorySegment.ofArray(a), F32, type, offset, count);
    }

    /** A view of the whole array as {@code I32}. */
    public static DataBuffer of(int[] a) {
        return of(a, 0, a.length);
    }

    /** A view of {@code count} elements from index {@code offset} as {@code I32}. */
    public static DataBuffer of(int[] a, int offset, int count) {
        return of(a, offset, count, I32);
    }

    /** A view of the whole array as {@code type}: {@code I32} or {@code U32}. */
    public static DataBuffer of(int[] a, DataType type) {
        return of(a, 0, a.length, type);
    }

    /**
     * A view of {@code count} elements from {@code offset} as {@code type}: {@code I32} or {@code
     * U32}.
     */
    public static DataBuffer of(int[] a, int offset, int count, DataType type) {
        return BufferChecks.ofArray(MemorySegment.ofArray(a), I32, type, offset, count);
    }

    /** A view of the whole array as {@code I64}. */
    public static DataBuffer of(long[] a) {
        return of(a, 0, a.length);
    }

    /** A view of {@code count} elements from index {@code offset} as {@code I64}. */
    public static DataBuffer of(long[] a, int offset, int count) {
        return of(a, offset, count, I64);
    }

    /** A view of the whole array as {@code type}: {@code I64} or {@code U64}. */
    public static DataBuffer of(long[] a, DataType type) {
        return of(a, 0, a.length, type);
    }

    /**
     * A view of {@code count} elements from {@code offset} as {@code type}: {@code I64} or {@code
     * U64}.
     */
    public static DataBuffer of(long[] a, int offset, int count, DataType type) {
        return BufferChecks.ofArray(MemorySegment.ofArray(a), I64, type, offset, count);
    }

    /** A view of the whole array as {@code I16}. */
    public static DataBuffer of(short[] a) {
        return of(a, 0, a.length);
    }

    /** A view of {@code count} elements from index {@code offset} as {@code I16}. */
    public static DataBuffer of(short[] a, int offset, int count) {
        return of(a, offset, count, I16);
    }

    /**
     * A view of the whole array as {@code type}: {@code I16}, {@code U16}, {@code F16} or {@code
     * BF16}.
     */
    public static DataBuffer of(short[] a, DataType type) {
        return of(a, 0, a.length, type);
    }

    /**
     * A view of {@code count} elements as {@code type}: {@code I16}, {@code U16}, {@code F16},
     * {@code BF16}.
     */
    public static DataBuffer of(short[] a, int offset, int count, DataType type) {
        return BufferChecks.ofArray(MemorySegment.ofArray(a), I16, type, offset, count);
    }

    /** A view of the whole array as {@code I8}. */
    public static DataBuffer of(byte[] a) {
        return of(a, 0, a.length);
    }

    /** A view of {@code count} elements from index {@code offset} as {@code I8}. */
    public static DataBuffer of(byte[] a, int offset, int count) {
        return of(a, offset, count, I8);
    }

    /** A view of the whole array as {@code type}: {@code I8} or {@code U8}. */
    public static DataBuffer of(byte[] a, DataType type) {
        return of(a, 0, a.length, type);
    }

    /**
     * A view of {@code count} elements from {@code offset} as {@code type}: {@code I8} or {@code
     * U8}.
     */
    public static DataBuffer of(byte[] a, int offset, int count, DataType type) {
        return BufferChecks.ofArray(MemorySegment.ofArray(a), I8, type, offset, count);
    }

    /**
     * A view of a whole segment: native, mapped or of an array. Read-only segments may be sent, not
     * received into. A segment of an automatic or shared arena stays reachable through the view.
     */
    public static DataBuffer of(MemorySegment memory, DataType type) {
        BufferChecks.usable(memory, type);
        return new DataBuffer(memory, type, memory.byteSize() / type.bytes());
    }

    /**
     * A view from the buffer's position to its limit; later changes of position and limit don't
     * matter. The buffer's order must be {@link java.nio.ByteOrder#nativeOrder()} unless elements
     * are single bytes. Read-only buffers may be sent, not received into. A heap buffer holds
     * single bytes only: use {@link ByteBuffer#allocateDirect} or {@link #allocate} for wider
     * types.
     */
    public static DataBuffer of(ByteBuffer memory, DataType type) {
        BufferChecks.nativeOrder(memory, type);
        return of(MemorySegment.ofBuffer(memory), type);
    }

    /**
     * New memory outside the heap, all zero, aligned to a cache line, and freed some time after the
     * last view of it is gone. The fastest memory to communicate in: as long as there is room, in
     * an area that ranks of other processes of this host read without a copy.
     *
     * @param count elements, 0 or more
     * @throws IllegalArgumentException if the count is negative or its bytes don't fit a long
     * @throws OutOfMemoryError if the machine has not that much
     */
    public static DataBuffer allocate(DataType type, long count) {
        long bytes = BufferChecks.byteSize(type, count);
        return new DataBuffer(OffHeapMemory.allocate(bytes), type, count);
    }

    /** The elements' type. */
    public DataType dataType() {
        return type;
    }

    /** How many elements it has. */
    public long count() {
        return count;
    }

    /** Its size in bytes. */
    public long byteSize() {
        return segment.byteSize();
    }

    /** Whether it can only be sent, not received into. */
    public boolean isReadOnly() {
        return segment.isReadOnly();
    }

    /**
     * A view of a part of this view.
     *
     * @param offset where the part begins, in elements
     * @param count how many elements it has
     * @throws IllegalArgumentException if the part is not within this view
     */
    public DataBuffer slice(long offset, long count) {
        BufferChecks.range(offset, count, this.count);
        MemorySegment part = segment.asSlice(offset * type.bytes(), count * type.bytes());
        return new DataBuffer(part, type, count);
    }

    /** The memory it views, exactly {@link #byteSize()} bytes of it. */
    public MemorySegment segment() {
        return segment;
    }

    /**
     * Whether the two share at least one byte. Two mappings of one file are two memories here: only
     * addresses are compared. Empty buffers overlap nothing.
     */
    public boolean overlaps(DataBuffer other) {
        // The JDK takes an empty segment inside of another for an overlap, and overstates its
        // length.
        return byteSize() > 0
                && other.byteSize() > 0
                && segment.asOverlappingSlice(other.segment).isPresent();
    }

    /**
     * Whether the two are the very same bytes, which is what an operation in place means. An empty
     * buffer is the same memory as every other empty one.
     */
    public boolean sameMemory(DataBuffer other) {
        return byteSize() == other.byteSize()
                && (byteSize() == 0
                        || (overlaps(other) && segment.address() == other.segment.address()));
    }

    /** Its type, count and place, never its content: for example {@code 1000 F32 on the heap}. */
    @Override
    public String toString() {
        String place =
                segment.isNative() ? "at 0x" + Long.toHexString(segment.address()) : "on the heap";
        return count + " " + type + " " + place + (isReadOnly() ? " (read-only)" : "");
    }
}
