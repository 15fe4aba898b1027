package io.nexar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.LocalCluster;
import io.nexar.RankFunction;

import org.junit.jupiter.api.Test;

import java.util.List;

/** What the small examples do on each rank, over ranks of one JVM. */
class ExamplesTest {

    @Test
    void everyRankSaysWhoItIs() {
        assertThat(onRanks(3, Hello::greeting))
                .containsExactly(
                        "hello from rank 0 of 3",
                        "hello from rank 1 of 3",
                        "hello from rank 2 of 3");
    }

    @Test
    void allReduceSumsOverAllRanks() {
        assertThat(onRanks(4, AllReduce::sum))
                .allSatisfy(sum -> assertThat(sum).containsExactly(10, 100, 1000));
    }

    @Test
    void broadcastGivesTheRootsArrayToAll() {
        assertThat(onRanks(4, Broadcast::squares))
                .allSatisfy(values -> assertThat(values).containsExactly(1, 4, 9, 16, 25));
    }

    @Test
    void eachRankGetsTheMessageOfTheOneBeforeIt() {
        assertThat(onRanks(3, SendReceive::passOn))
                .containsExactly(
                        "rank 0 got 102 from rank 2",
                        "rank 1 got 100 from rank 0",
                        "rank 2 got 101 from rank 1");
        assertThat(onRanks(1, SendReceive::passOn)).containsExactly("rank 0 got 100 from rank 0");
    }

    @Test
    void aLocalClusterAddsUpItsRanks() {
        assertThat(LocalClusterExample.sums(4)).containsExactly(6L, 6L, 6L, 6L);
    }

    @Test
    void workersAgreeOnTheHighestProcessId() {
        long pid = ProcessHandle.current().pid();
        assertThat(onRanks(2, SeedAndWorkers::meet))
                .containsExactly(
                        "rank 0 of 2; the highest process id among us is " + pid,
                        "rank 1 of 2; the highest process id among us is " + pid);
    }

    @Test
    void everyNameInTheTableIsAProgram() throws ReflectiveOperationException {
        for (Examples.Example example : Examples.all()) {
            assertThat(Class.forName(example.mainClass()).getMethod("main", String[].class))
                    .as(example.name())
                    .isNotNull();
            assertThat(Examples.byName(example.name())).contains(example);
        }
        assertThat(Examples.byName("mnits")).isEmpty();
    }

    private static <T> List<T> onRanks(int ranks, RankFunction<T> task) {
        try (LocalCluster cluster = LocalCluster.start(ranks)) {
            return cluster.call(task);
        }
    }
}
