package io.nexar.collective;

import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.StepKind;

/**
 * What a call still has to send to a peer and to get from it, in the slices in flight and in those
 * that have not begun. Looked up when the last credit is at stake and when a peer is lost; on the
 * way of every piece it would be too slow.
 */
final class Outstanding {
    private Outstanding() {}

    /** Whether a send to this peer with a key before this one has not been given out completely. */
    static boolean hasSendBefore(ActiveCalls active, int peer, SliceRun run, int step) {
        Execution own = run.execution();
        for (long sequence = active.oldest(); sequence != own.sequence(); sequence++) {
            Execution older = active.find(sequence);
            if (older != null && hasSendBefore(older, peer, Long.MAX_VALUE, Long.MAX_VALUE)) {
                return true;
            }
        }
        return hasSendBefore(own, peer, run.weight(step), run.slice());
    }

    /** Whether the call has anything left to send to this peer. */
    static boolean hasSend(Execution execution, int peer) {
        return hasSendBefore(execution, peer, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    /** Whether a step that could be done but for this peer holds the call up. */
    static boolean isHeldUpBy(Execution execution, int peer) {
        Plan plan = execution.plan();
        for (int step = 0; step < plan.stepCount(); step++) {
            if (plan.step(step).peer() != peer || plan.step(step).isLocal()) {
                continue;
            }
            for (int window = 0; window < execution.windows(); window++) {
                SliceRun run = execution.runAt(window);
                if (run != null && run.isReady(step) && !run.isSent(step)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether the call needs more than so many further pieces from this peer. */
    static boolean needsMoreThan(Execution execution, int peer, int pieces) {
        int needed = 0;
        Plan plan = execution.plan();
        for (int step = 0; step < plan.stepCount(); step++) {
            if (!plan.step(step).isReceive() || plan.step(step).peer() != peer) {
                continue;
            }
            long first = Math.max(0, execution.nextSlice() - execution.windows());
            for (long slice = first; slice < execution.binding().slices(); slice++) {
                needed += fragmentsLeft(execution, step, slice, pieces - needed + 1);
                if (needed > pieces) {
                    return true;
                }
            }
        }
        return false;
    }

    private static int fragmentsLeft(Execution execution, int step, long slice, int enough) {
        BoundStep bound = execution.binding().step(step);
        int fragment;
        if (slice >= execution.nextSlice()) {
            fragment = bound.firstFragment(slice);
        } else {
            SliceRun run = execution.run(slice);
            fragment = run == null ? Binding.NONE : run.fragment(step);
        }
        int left = 0;
        while (fragment != Binding.NONE && left < enough) {
            left++;
            fragment = bound.nextFragment(slice, fragment);
        }
        return left;
    }

    /** Of the slices that have not begun, only the first matters: later ones have greater keys. */
    private static boolean hasSendBefore(Execution execution, int peer, long weight, long slice) {
        Plan plan = execution.plan();
        for (int step = 0; step < plan.stepCount(); step++) {
            if (plan.step(step).kind() != StepKind.SEND || plan.step(step).peer() != peer) {
                continue;
            }
            for (int window = 0; window < execution.windows(); window++) {
                SliceRun run = execution.runAt(window);
                if (run != null
                        && run.fragment(step) != Binding.NONE
                        && isBefore(run.weight(step), run.slice(), weight, slice)) {
                    return true;
                }
            }
            if (isUnbegunBefore(execution, step, weight, slice)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isUnbegunBefore(Execution execution, int step, long weight, long slice) {
        long next = execution.nextSlice();
        BoundStep send = execution.binding().step(step);
        return next < execution.binding().slices()
                && isBefore(next * execution.stride() + send.round(), next, weight, slice)
                && send.firstFragment(next) != Binding.NONE;
    }

    private static boolean isBefore(long weight, long slice, long otherWeight, long otherSlice) {
        return weight != otherWeight ? weight < otherWeight : slice < otherSlice;
    }
}
