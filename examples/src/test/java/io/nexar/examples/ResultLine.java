package io.nexar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.LocalCluster;
import io.nexar.RankFunction;

import java.util.List;
import java.util.Optional;

/** The line that an example ends with, from ranks of one JVM. */
final class ResultLine {

    private ResultLine() {}

    /** Rank 0's line; no other rank may have one. */
    static String of(int ranks, RankFunction<Optional<String>> example) {
        try (LocalCluster cluster = LocalCluster.start(ranks)) {
            List<Optional<String>> lines = cluster.call(example);
            assertThat(lines.subList(1, ranks)).allMatch(Optional::isEmpty);
            return lines.getFirst().orElseThrow();
        }
    }
}
