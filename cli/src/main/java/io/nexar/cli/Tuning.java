package io.nexar.cli;

import io.nexar.cli.launch.LaunchException;
import io.nexar.cli.simulate.Measurement;
import io.nexar.cli.simulate.Stopwatch.Kind;
import io.nexar.cli.simulate.Stopwatch.Times;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.CostModelText;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.LinkCost;
import io.nexar.collective.plan.cost.Slicing;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * Measures a cost model of this machine: ranks of one JVM, then processes over what the settings
 * take, then over what goes between hosts. One host can't tell how far others are: of those links
 * it measures what a message and a byte cost the processor, and leaves the rest as it was.
 */
final class Tuning {
    /** Between hosts, the one that is taken first. */
    private static final List<String> BETWEEN_HOSTS = List.of("tcp", "quic");

    private final int ranks;
    private final Ranks timer;
    private final Consumer<String> progress;
    private final List<String> notes = new ArrayList<>();
    private String carriers = "";

    /** Times calls on ranks that it starts; blocks. */
    interface Ranks {
        /**
         * @throws LaunchException if they can't be started so
         */
        Timed time(String transport, List<Kind> kinds, Slicing slicing);
    }

    /** What each kind of call took, and what carried them. */
    record Timed(double[] nanos, String carriers) {}

    /**
     * @param progress hears what is measured next
     */
    Tuning(int ranks, Ranks timer, Consumer<String> progress) {
        this.ranks = ranks;
        this.timer = timer;
        this.progress = progress;
    }

    /**
     * The model as the text of a file; blocks.
     *
     * @param inHost the transport of processes
     */
    String run(String inHost) {
        CostModel model = measure("local", LinkClass.JVM, CostModel.DEFAULT);
        note("call, step, copy, reduce, switch, cache, memory, jvm");
        model = measure(inHost, LinkClass.HOST, model);
        note("host");
        model = betweenHosts(model);
        return "# nexar bench --tune: %d ranks, %d cores\n".formatted(ranks, model.host().cores())
                + String.join("", notes)
                + CostModelText.format(model);
    }

    private CostModel betweenHosts(CostModel model) {
        for (String transport : BETWEEN_HOSTS) {
            LinkCost found;
            try {
                found = measure(transport, LinkClass.HOST, model).link(LinkClass.HOST);
            } catch (LaunchException notThere) {
                progress.accept(transport + " can't be measured");
                continue;
            }
            note("message and byte of rack and far");
            CostModel changed = model;
            for (LinkClass link : List.of(LinkClass.RACK, LinkClass.FAR)) {
                LinkCost old = changed.link(link);
                changed =
                        changed.with(
                                link,
                                new LinkCost(
                                        old.latencyNanos(),
                                        found.messageNanos(),
                                        found.byteNanos(),
                                        old.wireByteNanos()));
            }
            return changed;
        }
        return model;
    }

    /** What has carried the calls that told these numbers. */
    private void note(String keys) {
        notes.add("# %s: measured over %s\n".formatted(keys, carriers));
    }

    private CostModel measure(String transport, LinkClass link, CostModel start) {
        progress.accept("measuring " + transport);
        return new Measurement(
                        ranks,
                        link,
                        start,
                        (kinds, slicing) -> {
                            Timed timed = timer.time(transport, kinds, slicing);
                            carriers = timed.carriers;
                            return Times.unseated(timed.nanos);
                        })
                .measure();
    }
}
