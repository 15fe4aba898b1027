package io.nexar.examples.mnist;

import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

import java.io.PrintStream;
import java.util.Locale;

/** How a person sees that the training gets on. One rank shows it; the others are quiet. */
interface Progress extends AutoCloseable {

    /** A batch is done. */
    void batchDone();

    /** An epoch is done; epochs count from 1. */
    void epochDone(int epoch, double loss);

    @Override
    void close();

    /** Shows nothing. */
    static Progress quiet() {
        return new Progress() {
            @Override
            public void batchDone() {}

            @Override
            public void epochDone(int epoch, double loss) {}

            @Override
            public void close() {}
        };
    }

    /** A line an epoch. */
    static Progress lines(PrintStream out, int epochs) {
        return new Progress() {
            @Override
            public void batchDone() {}

            @Override
            public void epochDone(int epoch, double loss) {
                out.printf(Locale.ROOT, "epoch %d of %d: loss %.4f%n", epoch, epochs, loss);
            }

            @Override
            public void close() {}
        };
    }

    /**
     * A bar that is drawn over itself: it ends with a carriage return, so that the next one, or
     * whatever else is printed, takes its place.
     */
    static Progress bar(PrintStream terminal, long batches) {
        ProgressBar bar =
                new ProgressBarBuilder()
                        .setTaskName("training")
                        .setInitialMax(batches)
                        .setStyle(ProgressBarStyle.ASCII)
                        .setConsumer(
                                new DelegatingProgressBarConsumer(
                                        line -> terminal.print(line + "\r"), BAR_COLUMNS))
                        .build();
        return new Progress() {
            @Override
            public void batchDone() {
                bar.step();
            }

            @Override
            public void epochDone(int epoch, double loss) {
                bar.setExtraMessage(String.format(Locale.ROOT, " loss %.4f", loss));
            }

            @Override
            public void close() {
                bar.close();
                terminal.println();
            }
        };
    }

    /** With a rank in front it still fits a terminal of 80 columns, and does not wrap. */
    int BAR_COLUMNS = 72;
}
