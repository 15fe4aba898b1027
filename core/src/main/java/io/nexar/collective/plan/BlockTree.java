package io.nexar.collective.plan;

import org.jspecify.annotations.Nullable;

/**
 * A binomial tree over blocks of neighbouring ranks, with any rank as its root (R. Thakur, R.
 * Rabenseifner, W. Gropp, "Optimization of collective communication operations in MPICH",
 * International Journal of High Performance Computing Applications 19(1), 2005, cut otherwise).
 *
 * <p>On level k the ranks lie in blocks of 2^k, counted from rank 0; the last one may be shorter. A
 * block's owner is the root if it lies in the block, else its first rank. Two neighbouring blocks
 * become one of the next level, and the owner that loses its block has an edge to the one that
 * keeps its own. The usual tree counts ranks from the root, which tears the ranks' order where the
 * numbers wrap; here every block is in rank order whatever the root, as are a block's shares in
 * memory and the operands of its sum.
 */
final class BlockTree {
    private final int rank;
    private final int size;
    private final int root;

    /**
     * An edge of a rank's tree.
     *
     * @param peer at the other end
     * @param isToParent whether the peer is nearer to the root
     * @param block the ranks of the child's block
     */
    record Edge(int peer, boolean isToParent, Block block) {}

    /** Neighbouring ranks. */
    record Block(int first, int ranks) {}

    BlockTree(PlanRequest request) {
        this.rank = request.rank();
        this.size = request.size();
        this.root = request.root();
    }

    /** How many levels have edges: log2 P rounded up. */
    int levels() {
        return Integer.SIZE - Integer.numberOfLeadingZeros(size - 1);
    }

    /** This rank's edge on a level; null if it has none there. */
    @Nullable Edge edge(int level) {
        int mine = rank >> level;
        int sibling = mine ^ 1;
        if (owner(level, mine) != rank || sibling << level >= size) {
            return null;
        }
        int parent = owner(level + 1, mine >> 1);
        return parent == rank
                ? new Edge(owner(level, sibling), false, block(level, sibling))
                : new Edge(parent, true, block(level, mine));
    }

    /** The edge to the parent: every rank but the root has one. */
    Edge parentEdge() {
        for (int level = 0; level < levels(); level++) {
            Edge edge = edge(level);
            if (edge != null && edge.isToParent()) {
                return edge;
            }
        }
        throw new IllegalStateException("the root has no parent");
    }

    private int owner(int level, int number) {
        return root >> level == number ? root : number << level;
    }

    private Block block(int level, int number) {
        int first = number << level;
        return new Block(first, Math.min(1 << level, size - first));
    }
}
