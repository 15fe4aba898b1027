package io.nexar.cli;

import io.nexar.cli.bench.TimedRank;
import io.nexar.cli.launch.LaunchException;
import io.nexar.cli.simulate.Measurement;
import io.nexar.cli.simulate.Stopwatch.Effort;
import io.nexar.cli.simulate.Stopwatch.Kind;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.CostModelText;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.LinkCost;
import io.nexar.collective.plan.cost.Slicing;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final JobSettings settings;
    private final List<String> java;
    private final Effort effort;
    private final Consumer<String> progress;
    private final List<String> notes = new ArrayList<>();
    private String carriers = "";

    /**
     * @param java what starts a {@link TimedRank}, without its words
     * @param progress hears what is measured next
     */
    Tuning(
            int ranks,
            JobSettings settings,
            List<String> java,
            Effort effort,
            Consumer<String> progress) {
        this.ranks = ranks;
        this.settings = settings;
        this.java = java;
        this.effort = effort;
        this.progress = progress;
    }

    /** The model as the text of a file; blocks. */
    String run() {
        CostModel model = measure("local", LinkClass.JVM, CostModel.DEFAULT);
        note("call, copy, reduce, jvm");
        model = measure(settings.config().get("nexar.transport"), LinkClass.HOST, model);
        note("host");
        model = betweenHosts(model);
        return "# nexar bench --tune: %d ranks, %d cores\n".formatted(ranks, model.cores())
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
                        ranks, link, start, (kind, slicing) -> time(transport, kind, slicing))
                .measure();
    }

    private double time(String transport, Kind kind, Slicing slicing) {
        boolean isLocal = transport.equals("local");
        Map<String, String> more = new LinkedHashMap<>(Measurement.settings(slicing));
        more.put("nexar.transport", transport);
        List<String> command = new ArrayList<>(java);
        command.addAll(TimedRank.words(isLocal ? ranks : 0, kind, effort));
        List<Double> nanos = new ArrayList<>();
        int exitCode;
        try {
            exitCode =
                    new OwnJob(settings.with(more))
                            .run(isLocal ? 1 : ranks, command, line -> read(line, nanos));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LaunchException(ExitCodes.FAILED, "interrupted while measuring");
        }
        if (exitCode != ExitCodes.OK || nanos.isEmpty()) {
            throw new LaunchException(
                    exitCode == ExitCodes.OK ? ExitCodes.FAILED : exitCode,
                    "%s could not be measured; the lines above say why".formatted(transport));
        }
        return nanos.getFirst();
    }

    private void read(String line, List<Double> nanos) {
        if (line.startsWith(TimedRank.RESULT)) {
            String[] words = line.substring(TimedRank.RESULT.length()).split(" ");
            nanos.add(Double.valueOf(words[0]));
            carriers = words[1];
        }
    }
}
