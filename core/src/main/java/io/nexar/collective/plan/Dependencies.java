package io.nexar.collective.plan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** What the steps of a plan wait for, worked out once when the plan is made. */
final class Dependencies {
    private Dependencies() {}

    /** Numbers the messages of each pair and direction in step order. */
    static int[] ordinals(Plan.Step[] steps, int size) {
        int[] sent = new int[size];
        int[] received = new int[size];
        int[] ordinals = new int[steps.length];
        for (int i = 0; i < steps.length; i++) {
            Plan.Step step = steps[i];
            ordinals[i] =
                    step.isLocal()
                            ? -1
                            : step.isReceive() ? received[step.peer()]++ : sent[step.peer()]++;
        }
        return ordinals;
    }

    /** Every earlier-round step with a conflicting range, without those implied by others. */
    static int[][] predecessors(Plan.Step[] steps) {
        int[][] result = new int[steps.length][];
        for (int i = 0; i < steps.length; i++) {
            List<Integer> direct = new ArrayList<>();
            boolean[] implied = new boolean[i];
            for (int j = i - 1; j >= 0; j--) {
                if (steps[j].round() < steps[i].round() && steps[i].conflictsWith(steps[j])) {
                    if (!implied[j]) {
                        direct.add(j);
                    }
                    implied[j] = true;
                }
                if (implied[j]) {
                    for (int earlier : result[j]) {
                        implied[earlier] = true;
                    }
                }
            }
            result[i] = direct.stream().mapToInt(Integer::intValue).toArray();
        }
        return result;
    }

    static int[][] successors(int[][] predecessors) {
        int[] counts = new int[predecessors.length];
        for (int[] list : predecessors) {
            for (int step : list) {
                counts[step]++;
            }
        }
        int[][] result = new int[predecessors.length][];
        for (int i = 0; i < result.length; i++) {
            result[i] = new int[counts[i]];
        }
        Arrays.fill(counts, 0);
        for (int i = 0; i < predecessors.length; i++) {
            for (int step : predecessors[i]) {
                result[step][counts[step]++] = i;
            }
        }
        return result;
    }
}
