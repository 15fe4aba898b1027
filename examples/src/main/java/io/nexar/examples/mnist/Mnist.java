package io.nexar.examples.mnist;

import io.nexar.Communicator;
import io.nexar.Nexar;

import java.io.Console;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Trains a classifier of handwritten digits on all ranks together: {@code ./nexar run -n 4 mnist}.
 * The last line says how well, for programs to read: {@code mnist: ranks=4 accuracy=0.9xx
 * identical=true seconds=...}; with {@code --compress} also how, and the bytes of gradients that
 * the links of all ranks took: {@code compress=topk:0.05 bytes=...}. Exit code 1 if the ranks ended
 * with different weights.
 */
public final class Mnist {

    /**
     * Set by the launcher where its lines go to a terminal: then a bar can be drawn over itself.
     */
    private static final String LAUNCHER_TERMINAL = "_NEXAR_TERMINAL";

    private Mnist() {}

    public static void main(String[] args) {
        MnistOptions options;
        try {
            options = MnistOptions.parse(args);
        } catch (IllegalArgumentException e) {
            System.err.println("mnist: " + e.getMessage());
            System.exit(2);
            return;
        }
        Result result;
        try (Nexar nexar = Nexar.join()) {
            Communicator world = nexar.world();
            result = train(world, options, batches -> progress(world, options, batches));
            if (world.rank() == 0) {
                System.out.println(result.line());
            }
        }
        if (!result.identical()) {
            System.exit(1);
        }
    }

    /** What came out, the same on every rank but for the time. */
    record Result(
            int ranks,
            double accuracy,
            boolean identical,
            double seconds,
            String compress,
            long sentBytes) {

        String line() {
            String plain =
                    String.format(
                            Locale.ROOT,
                            "mnist: ranks=%d accuracy=%.3f identical=%b seconds=%.1f",
                            ranks,
                            accuracy,
                            identical,
                            seconds);
            return compress.isEmpty()
                    ? plain
                    : plain + " compress=" + compress + " bytes=" + sentBytes;
        }
    }

    /** Trains and scores; {@code display} makes the progress out of the number of all batches. */
    static Result train(Communicator world, MnistOptions options, IntFunction<Progress> display) {
        long start = System.nanoTime();
        Trainer trainer = new Trainer(world, Digits.bundled().split(), options);
        trainer.shareFirstWeights();
        try (Progress progress = display.apply(trainer.batchesPerEpoch() * options.epochs())) {
            for (int epoch = 0; epoch < options.epochs(); epoch++) {
                double loss = trainer.trainEpoch(epoch, progress::batchDone);
                progress.epochDone(epoch + 1, loss);
            }
        }
        double accuracy = trainer.accuracy();
        boolean identical = trainer.hasIdenticalWeights();
        double seconds = (System.nanoTime() - start) / (double) TimeUnit.SECONDS.toNanos(1);
        return new Result(
                world.size(),
                accuracy,
                identical,
                seconds,
                options.compress(),
                trainer.sentBytes());
    }

    private static Progress progress(Communicator world, MnistOptions options, int batches) {
        if (world.rank() != 0) {
            return Progress.quiet();
        }
        @SuppressWarnings("SystemConsoleNull") // null where standard input or output is no terminal
        Console console = System.console();
        boolean isTerminal = console != null && console.isTerminal();
        if (!isTerminal && System.getenv(LAUNCHER_TERMINAL) == null) {
            return Progress.lines(System.out, options.epochs());
        }
        return Progress.bar(System.err, batches);
    }
}
