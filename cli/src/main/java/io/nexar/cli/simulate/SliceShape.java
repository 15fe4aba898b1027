package io.nexar.cli.simulate;

import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.Range;
import io.nexar.collective.plan.StepKind;
import io.nexar.collective.plan.cost.WorkCost;

/**
 * How slices and pieces cut a call, as the engine does it, with slices of equal length.
 *
 * @param shareBytes of a slice
 */
record SliceShape(double shareBytes, long slices, int pieceBytes) {
    private static int slots(Plan.Step step) {
        Range range = step.target() == null ? step.source() : step.target();
        return range == null ? 0 : range.slots();
    }

    /** What a step works on. */
    private static double worked(Plan.Step step) {
        return step.kind() == StepKind.COMBINE ? WorkCost.sharesCombined(step) : slots(step);
    }

    /** One slice: the range is cut into pieces. More: each slot is one. Local work is one. */
    int pieces(Plan.Step step) {
        if (step.isLocal()) {
            return 1;
        }
        if (slices > 1) {
            return Math.max(1, slots(step));
        }
        return (int) Math.max(1, Math.ceil(slots(step) * shareBytes / pieceBytes));
    }

    double bytesOfPiece(Plan.Step step) {
        return worked(step) * shareBytes / pieces(step);
    }
}
