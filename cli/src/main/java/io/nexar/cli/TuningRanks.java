package io.nexar.cli;

import io.nexar.cli.bench.TimedRank;
import io.nexar.cli.launch.LaunchException;
import io.nexar.cli.simulate.Measurement;
import io.nexar.cli.simulate.Stopwatch.Effort;
import io.nexar.cli.simulate.Stopwatch.Kind;
import io.nexar.collective.plan.cost.Slicing;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Starts the ranks that {@link Tuning} times: a job for each way to cut. */
final class TuningRanks implements Tuning.Ranks {
    private final int ranks;
    private final JobSettings settings;
    private final List<String> java;
    private final Effort effort;

    /**
     * @param java what starts a {@link TimedRank}, without its words
     */
    TuningRanks(int ranks, JobSettings settings, List<String> java, Effort effort) {
        this.ranks = ranks;
        this.settings = settings;
        this.java = java;
        this.effort = effort;
    }

    @Override
    public Tuning.Timed time(String transport, List<Kind> kinds, Slicing slicing) {
        boolean isLocal = transport.equals("local");
        Map<String, String> more = new LinkedHashMap<>(Measurement.settings(slicing));
        more.put("nexar.transport", transport);
        List<String> command = new ArrayList<>(java);
        command.addAll(TimedRank.words(isLocal ? ranks : 0, kinds, effort));
        List<Tuning.Timed> timed = new ArrayList<>();
        int exitCode;
        try {
            exitCode =
                    new OwnJob(settings.with(more))
                            .run(isLocal ? 1 : ranks, command, line -> read(line, timed));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LaunchException(ExitCodes.FAILED, "interrupted while measuring");
        }
        if (exitCode != ExitCodes.OK || timed.isEmpty()) {
            throw new LaunchException(
                    exitCode == ExitCodes.OK ? ExitCodes.FAILED : exitCode,
                    "%s could not be measured; the lines above say why".formatted(transport));
        }
        return timed.getFirst();
    }

    private static void read(String line, List<Tuning.Timed> timed) {
        if (line.startsWith(TimedRank.RESULT)) {
            String[] words = line.substring(TimedRank.RESULT.length()).split(" ");
            double[] nanos =
                    Arrays.stream(words).skip(1).mapToDouble(Double::parseDouble).toArray();
            timed.add(new Tuning.Timed(nanos, words[0]));
        }
    }
}
