package io.nexar.collective.plan;

/**
 * Makes a power of two of any number of ranks (R. Thakur, R. Rabenseifner, W. Gropp, "Optimization
 * of collective communication operations in MPICH", International Journal of High Performance
 * Computing Applications 19(1), 2005).
 *
 * <p>Let 2^L be the largest power of two that is not above P. The first 2(P - 2^L) ranks form pairs
 * (0, 1), (2, 3), ...; of each only one is active and stands for both: the even one, or the root if
 * it is the odd one. The 2^L active ranks are numbered in rank order, so that numbers a to b always
 * stand for a block of neighbouring ranks.
 */
final class Folding {
    private final int rank;
    private final int root;
    private final int doublings;
    private final int pairs;

    Folding(PlanRequest request) {
        this.rank = request.rank();
        this.root = request.root();
        this.doublings = Integer.numberOfTrailingZeros(Integer.highestOneBit(request.size()));
        this.pairs = request.size() - (1 << doublings);
    }

    /** L. */
    int doublings() {
        return doublings;
    }

    boolean hasPairs() {
        return pairs > 0;
    }

    /** Whether this rank has a partner for which it stands, or which stands for it. */
    boolean isPaired() {
        return rank < 2 * pairs;
    }

    boolean isActive() {
        return rankOf(number()) == rank;
    }

    /** The other rank of this rank's pair. */
    int partner() {
        return rank ^ 1;
    }

    int number() {
        return numberOf(rank);
    }

    int numberOf(int anyRank) {
        return anyRank < 2 * pairs ? anyRank / 2 : anyRank - pairs;
    }

    /** The active rank with this number. */
    int rankOf(int number) {
        if (number >= pairs) {
            return number + pairs;
        }
        return root == 2 * number + 1 ? root : 2 * number;
    }

    /** The first rank that this number stands for; for 2^L the number of ranks. */
    int firstRank(int number) {
        return number < pairs ? 2 * number : number + pairs;
    }
}
