package io.nexar.collective.plan.cost;

/**
 * What a rank's work in a round takes for one slice.
 *
 * @param shareBytes of one slice
 * @param isSliced more than one slice: then each share of a message is a piece of its own
 */
record SliceTime(
        CostModel model, Slicing slicing, double shareBytes, boolean isSliced, MemoryTime memory) {
    private static final LinkClass[] LINKS = LinkClass.values();

    /** What a rank works for what it sends. */
    double sending(Work work) {
        double nanos = 0;
        for (LinkClass link : LINKS) {
            int c = link.ordinal();
            nanos += moving(link, work.messagesSent[c], work.sharesSent[c]);
        }
        return nanos - work.sharesLent * shareBytes * model.link(LinkClass.JVM).byteNanos();
    }

    /** What a rank works for what it receives, and on its own memory. */
    double receiving(Work work) {
        double nanos =
                work.stepsWorked * model.work().stepNanos()
                        + shareBytes
                                * (work.sharesCopied * model.work().copyByteNanos()
                                        + work.sharesReduced * model.work().reduceByteNanos())
                        + memory.nanos(work.sharesFresh, work.sharesAgain, shareBytes);
        for (LinkClass link : LINKS) {
            int c = link.ordinal();
            nanos += moving(link, work.messagesReceived[c], work.sharesReceived[c]);
        }
        return nanos;
    }

    /** The longest latency of what a rank receives. */
    double latency(Work work) {
        double nanos = 0;
        for (LinkClass link : LINKS) {
            if (work.messagesReceived[link.ordinal()] > 0) {
                nanos = Math.max(nanos, model.link(link).latencyNanos());
            }
        }
        return nanos;
    }

    /** How long the busiest wire is occupied; what a host's ranks send passes one wire. */
    double wire(Work[] works, Sample sample) {
        double most = 0;
        for (int host = 0; host < sample.hosts(); host++) {
            double out = 0;
            double in = 0;
            for (int i = sample.hostBegins()[host]; i < sample.hostBegins()[host + 1]; i++) {
                double weight = sample.weights()[i];
                for (LinkClass link : LINKS) {
                    double shareNanos = shareBytes * model.link(link).wireByteNanos();
                    double sent = works[i].sharesSent[link.ordinal()] * shareNanos;
                    double received = works[i].sharesReceived[link.ordinal()] * shareNanos;
                    out += link.leavesHost() ? weight * sent : 0;
                    in += link.leavesHost() ? weight * received : 0;
                    most = Math.max(most, Math.max(sent, received));
                }
            }
            most = Math.max(most, Math.max(out, in));
        }
        return most;
    }

    private double moving(LinkClass link, int messages, int shares) {
        if (messages == 0) {
            return 0;
        }
        LinkCost cost = model.link(link);
        double bytes = shares * shareBytes;
        double pieces =
                isSliced
                        ? Math.max(messages, shares)
                        : messages
                                * Math.max(1, Math.ceil(bytes / messages / slicing.pieceBytes()));
        return pieces * cost.messageNanos() + bytes * cost.byteNanos();
    }
}
