package io.nexar.collective.plan;

import org.jspecify.annotations.Nullable;

/**
 * Which two steps of one rank may not touch memory at the same time: one writes a slot that the
 * other reads or writes.
 *
 * <p>In place, INPUT and OUTPUT are one memory wherever they hold the same share. One plan serves
 * both bindings, so a write of an OUTPUT slot always counts as a write of the INPUT slots with the
 * same share. The exception is a COPY from INPUT to OUTPUT: in place it does nothing, and out of
 * place it leaves INPUT alone, so it never disturbs a reader of INPUT.
 */
final class Conflicts {
    private final int[][] slotShares;

    Conflicts(int[][] slotShares) {
        this.slotShares = slotShares;
    }

    boolean between(Plan.Step a, Plan.Step b) {
        return disturbs(a, b) || disturbs(b, a);
    }

    /** Whether a write of this step in OUTPUT may change INPUT. */
    static boolean reachesInput(Plan.Step writer) {
        return !(writer.kind() == StepKind.COPY
                && writer.source() != null
                && writer.source().buffer() == BufferRole.INPUT);
    }

    private boolean disturbs(Plan.Step writer, Plan.Step other) {
        return overwrites(writer, other.source())
                || overwrites(writer, other.second())
                || overwrites(writer, other.target());
    }

    private boolean overwrites(Plan.Step writer, @Nullable Range range) {
        Range target = writer.target();
        if (target == null || range == null) {
            return false;
        }
        if (target.buffer() == BufferRole.OUTPUT && range.buffer() == BufferRole.INPUT) {
            return reachesInput(writer) && shareCommonTo(target, range);
        }
        return target.overlaps(range);
    }

    private boolean shareCommonTo(Range a, Range b) {
        for (int i = 0; i < a.slots(); i++) {
            for (int j = 0; j < b.slots(); j++) {
                if (share(a, i) == share(b, j)) {
                    return true;
                }
            }
        }
        return false;
    }

    private int share(Range range, int index) {
        return slotShares[range.buffer().ordinal()][range.firstSlot() + index];
    }
}
