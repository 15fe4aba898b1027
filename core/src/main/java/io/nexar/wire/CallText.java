package io.nexar.wire;

import io.nexar.CallDescription;
import io.nexar.DataType;

import org.jspecify.annotations.Nullable;

/** A {@link CallDescription} inside a payload. */
final class CallText {
    /** A method's name. */
    private static final int OPERATION_BYTES_MAX = 64;

    /** A name that the program has given to an operation of its own. */
    private static final int REDUCTION_BYTES_MAX = 256;

    /** Class, method, file and line. */
    private static final int CALL_SITE_BYTES_MAX = 512;

    /** A few numbers. */
    private static final int PARTS_BYTES_MAX = 128;

    /** What one takes at most: its texts with their lengths, and the numbers. */
    static final int BYTES_MAX =
            OPERATION_BYTES_MAX + REDUCTION_BYTES_MAX + CALL_SITE_BYTES_MAX + PARTS_BYTES_MAX + 64;

    private static final int NO_TYPE = 255;
    private static final DataType[] TYPES = DataType.values();

    private CallText() {}

    static void write(PayloadWriter to, CallDescription call) {
        DataType type = call.type();
        to.i32(call.rank())
                .i64(call.sequence())
                .i64(call.count())
                .i32(call.root())
                .u8(type == null ? NO_TYPE : type.ordinal())
                .text(call.operation(), OPERATION_BYTES_MAX)
                .optionalText(call.reduction(), REDUCTION_BYTES_MAX)
                .optionalText(call.callSite(), CALL_SITE_BYTES_MAX)
                .optionalText(call.parts(), PARTS_BYTES_MAX);
    }

    /** Reads one of a communicator of that size. */
    static CallDescription read(PayloadReader from, int size) {
        int rank = from.i32(0, size);
        long sequence = from.i64();
        long count = from.i64();
        int root = from.i32(CallDescription.NO_ROOT, size);
        DataType type = readType(from);
        String operation = from.text(OPERATION_BYTES_MAX);
        String reduction = from.optionalText(REDUCTION_BYTES_MAX);
        String callSite = from.optionalText(CALL_SITE_BYTES_MAX);
        String parts = from.optionalText(PARTS_BYTES_MAX);
        if (count < 0) {
            throw from.broken("has a count of " + count);
        }
        return new CallDescription(
                rank, operation, count, type, reduction, root, sequence, callSite, parts);
    }

    private static @Nullable DataType readType(PayloadReader from) {
        int code = from.u8();
        if (code == NO_TYPE) {
            return null;
        }
        if (code >= TYPES.length) {
            throw from.broken("has the unknown type " + code);
        }
        return TYPES[code];
    }
}
