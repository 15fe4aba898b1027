package io.nexar.cli.simulate;

import io.nexar.collective.plan.cost.CacheCost;
import io.nexar.collective.plan.cost.CostModel;
import io.nexar.collective.plan.cost.HostCost;
import io.nexar.collective.plan.cost.LinkClass;
import io.nexar.collective.plan.cost.LinkCost;
import io.nexar.collective.plan.cost.WorkCost;

import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/**
 * The numbers of a cost model that a measurement looks for, in a row.
 *
 * @param starts where to begin, what is usual first: from one start a search may end where no
 *     number alone makes it better
 * @param toModel puts them into a model
 */
record Unknowns(List<double[]> starts, Function<double[], CostModel> toModel) {
    /** What no call tells stays where it was: a number doubled is as bad as a call 2 % wrong. */
    private static final double DOUBT = 0.001;

    static Unknowns of(LinkClass link, CostModel start, int ranks) {
        return link == LinkClass.JVM ? ofJvm(start, ranks) : ofLink(link, start);
    }

    CostModel model(double[] numbers) {
        return toModel.apply(numbers);
    }

    double doubt(double[] numbers) {
        double[] first = starts.getFirst();
        double sum = 0;
        for (int i = 0; i < numbers.length; i++) {
            double logarithm = Math.log(numbers[i] / first[i]);
            sum += logarithm * logarithm;
        }
        return DOUBT * sum;
    }

    private static Unknowns ofLink(LinkClass link, CostModel start) {
        LinkCost old = start.link(link);
        return new Unknowns(
                List.of(
                        new double[] {
                            old.latencyNanos(),
                            Math.max(100, old.messageNanos()),
                            Math.max(0.05, old.byteNanos())
                        }),
                n -> start.with(link, new LinkCost(n[0], n[1], n[2], 0)));
    }

    /** A switch shows where ranks share cores, and only there. */
    private static Unknowns ofJvm(CostModel start, int ranks) {
        int cores = Runtime.getRuntime().availableProcessors();
        boolean isCrowded = ranks > cores;
        double[] usual = {
            500, 300, 0.05, 700, 60, 0.03, 0.15, 1 << 20, 0.02, 0.05, 16 << 20, 0.05, 2000
        };
        double[] dearClaims = usual.clone(); // and what others have read is soon near again
        dearClaims[7] = 700_000;
        dearClaims[8] = 0.005;
        dearClaims[9] = 0.08;
        int count = isCrowded ? usual.length : usual.length - 1;
        return new Unknowns(
                List.of(Arrays.copyOf(usual, count), Arrays.copyOf(dearClaims, count)),
                n -> {
                    double switchNanos = isCrowded ? n[12] : start.host().switchNanos();
                    return start.with(LinkClass.JVM, new LinkCost(n[0], n[1], n[2], 0))
                            .with(new WorkCost(n[3], n[4], n[5], n[6]))
                            .with(
                                    new HostCost(
                                            cores,
                                            switchNanos,
                                            new CacheCost(n[7], n[8], n[9], n[10], n[11])));
                });
    }
}
