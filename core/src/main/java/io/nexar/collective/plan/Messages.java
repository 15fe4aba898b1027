package io.nexar.collective.plan;

import java.util.Arrays;

/** The messages of one rank's plan: their numbers, and who waits for which. */
final class Messages {
    private static final int[] NONE = {};

    private final int[] ordinals;
    private final int[][] receives;

    Messages(Plan.Step[] steps, int size) {
        ordinals = ordinals(steps, size);
        receives = new int[size][];
        Arrays.fill(receives, NONE);
        // The last one from a peer, which comes first here, says how many there are.
        for (int i = steps.length - 1; i >= 0; i--) {
            if (steps[i].isReceive()) {
                int peer = steps[i].peer();
                if (receives[peer].length == 0) {
                    receives[peer] = new int[ordinals[i] + 1];
                }
                receives[peer][ordinals[i]] = i;
            }
        }
    }

    private static int[] ordinals(Plan.Step[] steps, int size) {
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

    int ordinal(int step) {
        return ordinals[step];
    }

    /** A peer or an ordinal that does not exist gives -1: both may be what a peer has sent. */
    int receiveStep(int peer, int ordinal) {
        if (peer < 0 || peer >= receives.length) {
            return -1;
        }
        int[] ofPeer = receives[peer];
        return ordinal >= 0 && ordinal < ofPeer.length ? ofPeer[ordinal] : -1;
    }
}
