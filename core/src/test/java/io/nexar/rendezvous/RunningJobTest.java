package io.nexar.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What members ask of and tell the seed of a job that runs, over real connections. */
@Timeout(120)
class RunningJobTest {

    @Test
    void aMemberThatLivesAnswersTheSeedForEveryoneWhoAsks() throws Exception {
        try (Job job = Job.start(3, Duration.ofSeconds(100))) {
            List<Formation> ranks = job.joinAll(3);
            List<Queue<TetherEvent>> heard = listen(ranks);
            ranks.get(0).tether().ask(ranks.get(2).self());
            ranks.get(1).tether().ask(ranks.get(2).self());
            TetherEvent answer = new TetherEvent.Answers(ranks.get(2).self());
            Job.await(() -> heard.get(0).contains(answer) && heard.get(1).contains(answer));
            assertThat(heard.get(2)).as("a ping is nobody's business but the tether's").isEmpty();
        }
    }

    @Test
    void aMemberThatAnotherGivesUpIsToldSoAndAllOthersHearIt() throws Exception {
        // Pitfall 44: whoever is out learns it.
        try (Job job = Job.start(3, Duration.ofSeconds(100))) {
            List<Formation> ranks = job.joinAll(3);
            List<Queue<TetherEvent>> heard = listen(ranks);
            ranks.get(0).tether().lost(ranks.get(1).self(), "silent for 8.1 s");
            Job.await(() -> heard.stream().noneMatch(Queue::isEmpty));
            assertThat(heard.get(1)).containsExactly(new TetherEvent.Expelled("silent for 8.1 s"));
            for (int survivor : new int[] {0, 2}) {
                assertThat(heard.get(survivor))
                        .containsExactly(
                                new TetherEvent.Departed(
                                        ranks.get(1).self(), 1, false, "silent for 8.1 s"));
            }
            // What it says now is not heard any more, and closing takes no time.
            ranks.get(1).tether().lost(ranks.get(0).self(), "revenge");
            ranks.get(1).tether().leave("done", TimeUnit.SECONDS.toNanos(30));
            ranks.get(0).tether().ask(ranks.get(2).self());
            TetherEvent answer = new TetherEvent.Answers(ranks.get(2).self());
            Job.await(() -> heard.get(0).contains(answer));
            assertThat(heard.get(2)).hasSize(1);
            assertThat(job.told)
                    .contains(
                            new SeedEvent.Departed(
                                    ranks.get(1).self().id(), 1, false, "silent for 8.1 s"));
        }
    }

    @Test
    void aMemberThatGivesItselfUpIsDeadToTheOthersWithItsOwnReason() throws Exception {
        try (Job job = Job.start(2, Duration.ofSeconds(100))) {
            List<Formation> ranks = job.joinAll(2);
            List<Queue<TetherEvent>> heard = listen(ranks);
            ranks.get(1).tether().lost(ranks.get(1).self(), "its JVM shuts down");
            Job.await(() -> heard.stream().noneMatch(Queue::isEmpty));
            assertThat(heard.get(0))
                    .containsExactly(
                            new TetherEvent.Departed(
                                    ranks.get(1).self(), 1, false, "its JVM shuts down"));
            assertThat(heard.get(1).peek()).isInstanceOf(TetherEvent.SeedLost.class);
        }
    }

    private static List<Queue<TetherEvent>> listen(List<Formation> ranks) {
        List<Queue<TetherEvent>> heard =
                Stream.<Queue<TetherEvent>>generate(ConcurrentLinkedQueue::new)
                        .limit(ranks.size())
                        .toList();
        for (int rank = 0; rank < ranks.size(); rank++) {
            ranks.get(rank).tether().listen(heard.get(rank)::add);
        }
        return heard;
    }
}
