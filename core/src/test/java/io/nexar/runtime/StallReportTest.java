package io.nexar.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.LocalCluster;
import io.nexar.NexarConfig;
import io.nexar.OnEachTransport;
import io.nexar.ReduceOp;
import io.nexar.Request;
import io.nexar.Status;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.logging.Handler;
import java.util.logging.Level;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.stream.IntStream;

/** What a long wait says in the log. */
@Timeout(60)
class StallReportTest {
    private final Logger logger = Logger.getLogger("io.nexar");
    private final BlockingQueue<String> warnings = new LinkedBlockingQueue<>();
    private final Handler ear =
            new Handler() {
                @Override
                public void publish(LogRecord record) {
                    if (record.getLevel().equals(Level.WARNING)) {
                        warnings.add(record.getMessage());
                    }
                }

                @Override
                public void flush() {}

                @Override
                public void close() {}
            };

    @BeforeEach
    void listen() {
        logger.addHandler(ear);
        logger.setUseParentHandlers(false);
    }

    @AfterEach
    void stopListening() {
        logger.removeHandler(ear);
        logger.setUseParentHandlers(true);
    }

    @OnEachTransport
    void aLongWaitIsToldOnceWithWhatEachRankIsIn(String transport) throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        Thread[] waiter = new Thread[1];
        try (LocalCluster cluster = start(transport, 3)) {
            waiter[0] = Thread.ofPlatform().start(() -> cluster.run(world -> stall(world, told)));
            List<String> texts = List.of(next(), next());
            assertThat(texts)
                    .anySatisfy(text ->
                            assertThat(text)
                                    .startsWith("allReduce #0 on world (rank 1 of 3, epoch 0)")
                                    .containsPattern("has waited for \\d+ s: ")
                                    .contains("rank 0 is in no collective, its next is #0")
                                    .contains("rank 2 is in no collective"))
                    .anySatisfy(text ->
                            assertThat(text)
                                    .startsWith("receive on world (rank 2 of 3, epoch 0)")
                                    .contains("for a message from rank 1 with tag 7: ")
                                    .contains("rank 1 is in allReduce #0 for "));
            assertThat(warnings.poll(2, TimeUnit.SECONDS)).as("a second report").isNull();
            told.countDown();
            waiter[0].join();
        }
    }

    /** Rank 0 is busy, rank 1 is in a sum, rank 2 waits for a message of rank 1. */
    private static void stall(Communicator world, CountDownLatch told) throws Exception {
        int[] one = {world.rank()};
        if (world.rank() == 0) {
            told.await();
        }
        if (world.rank() == 2) {
            world.async().receive(DataBuffer.of(new int[1]), 1, 7);
            told.await();
        }
        world.allReduce(DataBuffer.of(one), ReduceOp.SUM);
        if (world.rank() == 1) {
            world.send(DataBuffer.of(one), 2, 7);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void receivesThatWaitTogetherAreToldInOneLine(int receives) throws Exception {
        try (LocalCluster cluster = start("local", 2)) {
            Communicator world = cluster.communicators().get(0);
            List<Request<Status>> requests =
                    IntStream.range(0, receives)
                            .mapToObj(tag ->
                                    world.async()
                                            .receive(
                                                    DataBuffer.of(new int[1]),
                                                    Communicator.ANY_SOURCE,
                                                    tag))
                            .toList();
            String text = next();
            assertThat(text).contains("for a message from any rank with tag 0");
            assertThat(text.contains("(and 2 more for theirs)")).isEqualTo(receives == 3);
            assertThat(text).contains("rank 1 is in no collective");
            assertThat(warnings.poll(1, TimeUnit.SECONDS)).as("a second report").isNull();
            requests.forEach(Request::cancel);
        }
    }

    private String next() throws InterruptedException {
        String text = warnings.poll(20, TimeUnit.SECONDS);
        assertThat(text).as("a report").isNotNull();
        return text;
    }

    private static LocalCluster start(String transport, int ranks) {
        return LocalCluster.start(
                ranks,
                NexarConfig.defaults()
                        .with("nexar.transport", transport)
                        .with("nexar.stall.reportAfter", "1s"));
    }
}
