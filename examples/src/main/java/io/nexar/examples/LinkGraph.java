package io.nexar.examples;

import java.util.SplittableRandom;

/**
 * A random directed graph. Any rank can make any vertex's links, and always makes the same. Some
 * vertices have none; some links lead to where another one leads, or to their own vertex.
 *
 * @param vertices how many
 * @param linksMean how many links leave a vertex on average; from none to twice as many do
 * @param randomSeed of the links
 */
record LinkGraph(int vertices, int linksMean, long randomSeed) {

    /** The targets of the links of the vertices {@code first} to {@code end - 1}. */
    int[][] links(int first, int end) {
        int[][] links = new int[end - first][];
        for (int v = first; v < end; v++) {
            SplittableRandom random = Streams.stream(randomSeed, v);
            links[v - first] = new int[random.nextInt(2 * linksMean + 1)];
            for (int i = 0; i < links[v - first].length; i++) {
                // The square prefers low numbers: some vertices are far better known than others.
                double draw = random.nextDouble();
                links[v - first][i] = (int) (draw * draw * vertices);
            }
        }
        return links;
    }
}
