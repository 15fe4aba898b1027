package io.nexar.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;

@Timeout(60)
class PageRankTest {

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void anyNumberOfRanksFindsTheScoresOfOneProcess(int ranks) {
        LinkGraph graph = new LinkGraph(1_001, 5, 1);
        assertThat(ResultLine.of(ranks, world -> PageRank.rank(world, graph)))
                .matches(
                        ("pagerank: ranks=%d vertices=1001 best=0 score=0\\.\\d{9}"
                                        + " difference=\\S+ equal=true")
                                .formatted(ranks));
    }

    @ParameterizedTest
    @CsvSource({"1, 4", "3, 1", "50, 0"})
    void fewVerticesOrNoLinksAreAGraphToo(int vertices, int links) {
        LinkGraph graph = new LinkGraph(vertices, links, 2);
        assertThat(ResultLine.of(4, world -> PageRank.rank(world, graph))).endsWith("equal=true");
    }

    /** The definition: what a vertex gets by each link to it, and its part of what all get. */
    @Test
    void theScoresOfOneProcessAddUpToOneAndSolveTheEquation() {
        LinkGraph graph = new LinkGraph(300, 3, 3);
        double[] scores = PageRank.alone(graph);
        assertThat(Arrays.stream(scores).sum()).isCloseTo(1, within(1e-12));
        int[][] links = graph.links(0, 300);
        for (int v = 0; v < 300; v++) {
            double expected = 0.15 / 300;
            for (int from = 0; from < 300; from++) {
                for (int target : links[from]) {
                    expected += target == v ? 0.85 * scores[from] / links[from].length : 0;
                }
                expected += links[from].length == 0 ? 0.85 * scores[from] / 300 : 0;
            }
            assertThat(scores[v]).as("vertex %d", v).isCloseTo(expected, within(1e-13));
        }
    }

    @Test
    void aRanksLinksAreThoseOfTheWholeGraph() {
        LinkGraph graph = new LinkGraph(100, 4, 4);
        int[][] all = graph.links(0, 100);
        assertThat(graph.links(30, 70)).isDeepEqualTo(Arrays.copyOfRange(all, 30, 70));
        assertThat(Arrays.stream(all).map(links -> links.length)).contains(0, 1, 8);
    }
}
