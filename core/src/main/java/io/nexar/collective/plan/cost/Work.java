package io.nexar.collective.plan.cost;

import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.StepKind;

import java.util.Arrays;

/** What one rank does in one round, in messages and shares. */
final class Work {
    private static final int LINKS = LinkClass.values().length;

    /** By the class of the link. */
    final int[] messagesSent = new int[LINKS];

    final int[] messagesReceived = new int[LINKS];
    final int[] sharesSent = new int[LINKS];
    final int[] sharesReceived = new int[LINKS];

    /** Of those sent: a rank's own input, lent inside a JVM. */
    int sharesLent;

    int sharesCopied;

    double sharesReduced;

    /** Of all that it reads and writes, and shows others, what it has not come to before. */
    int sharesFresh;

    /** The rest of that. */
    int sharesAgain;

    void add(Plan.Step step, LinkClass link) {
        int c = link.ordinal();
        if (step.kind() == StepKind.SEND) {
            messagesSent[c]++;
            sharesSent[c] += WorkCost.slots(step.source());
            sharesLent += link.isLending(step) ? WorkCost.slots(step.source()) : 0;
        } else {
            messagesReceived[c]++;
            sharesReceived[c] += WorkCost.slots(step.target());
            addLocal(step);
        }
    }

    /** What happens to memory, be it with what has arrived. SCALE does nothing but for AVG. */
    void addLocal(Plan.Step step) {
        switch (step.kind()) {
            case COPY, RECEIVE -> sharesCopied += WorkCost.slots(step.target());
            case REDUCE, RECEIVE_REDUCE -> sharesReduced += WorkCost.slots(step.target());
            case COMBINE -> sharesReduced += WorkCost.sharesCombined(step);
            case SCALE, SEND -> {}
        }
    }

    boolean isIdle() {
        return isSameAs(new Work());
    }

    boolean isSameAs(Work other) {
        return Arrays.equals(messagesSent, other.messagesSent)
                && Arrays.equals(messagesReceived, other.messagesReceived)
                && Arrays.equals(sharesSent, other.sharesSent)
                && Arrays.equals(sharesReceived, other.sharesReceived)
                && sharesLent == other.sharesLent
                && sharesCopied == other.sharesCopied
                && sharesFresh == other.sharesFresh
                && sharesAgain == other.sharesAgain
                && sharesReduced == other.sharesReduced;
    }
}
