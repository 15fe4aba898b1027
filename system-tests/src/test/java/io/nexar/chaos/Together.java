package io.nexar.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Runs cases that wait for most of their time beside each other. */
final class Together {

    private Together() {}

    /** A case of a test. */
    interface Case<T> {
        void run(T of) throws Exception;
    }

    /** Fails if one does, once all are over. */
    static <T> void run(List<T> all, Case<T> body) throws Exception {
        try (ExecutorService threads = Executors.newThreadPerTaskExecutor(Thread::new)) {
            List<Future<?>> running = new ArrayList<>();
            for (T each : all) {
                running.add(
                        threads.submit(() -> {
                            body.run(each);
                            return null;
                        }));
            }
            AssertionError failed = null;
            for (int i = 0; i < all.size(); i++) {
                try {
                    running.get(i).get();
                } catch (ExecutionException e) {
                    AssertionError failure = new AssertionError("" + all.get(i), e.getCause());
                    if (failed == null) {
                        failed = failure;
                    } else {
                        failed.addSuppressed(failure);
                    }
                }
            }
            if (failed != null) {
                throw failed;
            }
        }
    }
}
