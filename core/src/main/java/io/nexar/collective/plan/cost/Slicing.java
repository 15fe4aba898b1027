package io.nexar.collective.plan.cost;

/**
 * How the engine cuts: into pieces of so many bytes, so many slices under way at once.
 *
 * @param pieceBytes the longest piece
 * @param inFlight slices of one call that are active at a time
 */
public record Slicing(int pieceBytes, int inFlight) {
    public Slicing {
        if (pieceBytes < 1 || inFlight < 1) {
            throw new IllegalArgumentException(
                    "pieces of %d bytes, %d in flight".formatted(pieceBytes, inFlight));
        }
    }

    /** How many slices a vector is cut into whose shares are so long. */
    public long slices(double shareBytes) {
        return Math.max(1, (long) Math.ceil(shareBytes / pieceBytes));
    }
}
