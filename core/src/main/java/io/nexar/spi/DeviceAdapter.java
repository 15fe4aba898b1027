package io.nexar.spi;

import io.nexar.DataType;
import io.nexar.ReduceOp;

import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * The bridge between a device's memory and the network. Found by {@link java.util.ServiceLoader},
 * chosen by name. Safe from any number of threads.
 *
 * <p>Work is ordered by streams: a handle of the device's own kind, opaque here, with {@link
 * #DEFAULT_STREAM} for none in particular. Each method returns when its effect on host memory is
 * complete; what a failing call has written is undefined. A failure is a {@link
 * io.nexar.DeviceException} with the driver's code and text.
 */
public interface DeviceAdapter extends AutoCloseable {

    /** The stream that the single-stream forms use. */
    long DEFAULT_STREAM = 0;

    /**
     * A range of the device's memory.
     *
     * @param address where it begins, as the device counts
     * @param count elements
     * @param type their type
     */
    record Region(long address, long count, DataType type) {

        public Region {
            if (count < 0 || count > Long.MAX_VALUE / type.bytes()) {
                throw new IllegalArgumentException(
                        "count "
                                + count
                                + " of "
                                + type
                                + ": must be 0 or more, its bytes fit a long");
            }
        }

        /** Its size in bytes. */
        public long byteSize() {
            return count * type.bytes();
        }
    }

    /** What the settings call it, for example {@code cpu} or {@code cuda}. */
    String name();

    /** Whether the network may read and write a region directly, so that staging copies nothing. */
    boolean isHostAccessible();

    /**
     * Makes the regions' bytes readable for the host, one region after the other.
     *
     * @return host memory with those bytes; the region itself where it is host accessible. Valid
     *     until the next call on the same stream
     */
    MemorySegment stage(List<Region> regions, long stream);

    /** {@link #stage(List, long)} of one region. */
    default MemorySegment stage(Region region, long stream) {
        return stage(List.of(region), stream);
    }

    /** {@link #stage(List, long)} on the default stream. */
    default MemorySegment stage(List<Region> regions) {
        return stage(regions, DEFAULT_STREAM);
    }

    /** {@link #stage(List, long)} of one region on the default stream. */
    default MemorySegment stage(Region region) {
        return stage(List.of(region), DEFAULT_STREAM);
    }

    /**
     * Puts bytes back into the device.
     *
     * @param host as many bytes as the regions have together, in their order
     */
    void unstage(MemorySegment host, List<Region> regions, long stream);

    /** {@link #unstage(MemorySegment, List, long)} of one region. */
    default void unstage(MemorySegment host, Region region, long stream) {
        unstage(host, List.of(region), stream);
    }

    /** {@link #unstage(MemorySegment, List, long)} on the default stream. */
    default void unstage(MemorySegment host, List<Region> regions) {
        unstage(host, regions, DEFAULT_STREAM);
    }

    /** {@link #unstage(MemorySegment, List, long)} of one region on the default stream. */
    default void unstage(MemorySegment host, Region region) {
        unstage(host, List.of(region), DEFAULT_STREAM);
    }

    /**
     * Combines on the device: {@code region = region op host}, element by element.
     *
     * @param host as many elements as the region has, in the machine's byte order
     * @throws IllegalArgumentException if the device has no such operation for the region's type
     */
    void reduceInPlace(Region region, MemorySegment host, ReduceOp op, long stream);

    /** {@link #reduceInPlace(Region, MemorySegment, ReduceOp, long)} on the default stream. */
    default void reduceInPlace(Region region, MemorySegment host, ReduceOp op) {
        reduceInPlace(region, host, op, DEFAULT_STREAM);
    }

    /** Frees what the adapter holds. A second call does nothing. */
    @Override
    void close();
}
