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

    /**
     * What a rank works for what it sends. Inside a JVM it shows it where it lies; what it has made
     * there it had to take from who read it the last time.
     */
    double sending(Work work) {
        double nanos = 0;
        for (LinkClass link : LINKS) {
            int c = link.ordinal();
            boolean isShown = link == LinkClass.JVM;
            double byteNanos = isShown ? 0 : model.link(link).byteNanos();
            nanos += moving(link, work.messagesSent[c], work.sharesSent[c], byteNanos);
        }
        int sharesMade = work.sharesSent[LinkClass.JVM.ordinal()] - work.sharesLent;
        double claimNanos = memory.nearPart() * model.host().caches().claimByteNanos();
        return nanos + sharesMade * shareBytes * claimNanos;
    }

    /** What a rank works for what it receives, and on its own memory. */
    double receiving(Work work) {
        double nanos =
                shareBytes
                                * (work.sharesCopied * model.work().copyByteNanos()
                                        + work.sharesReduced * model.work().reduceByteNanos())
                        + memory.nanos(work.sharesFresh, work.sharesAgain, shareBytes);
        for (LinkClass link : LINKS) {
            int c = link.ordinal();
            double nearPart = link == LinkClass.JVM ? memory.nearPart() : 1;
            double byteNanos = nearPart * model.link(link).byteNanos();
            nanos += moving(link, work.messagesReceived[c], work.sharesReceived[c], byteNanos);
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

    private double moving(LinkClass link, int messages, int shares, double byteNanos) {
        if (messages == 0) {
            return 0;
        }
        double bytes = shares * shareBytes;
        double pieces =
                isSliced
                        ? Math.max(messages, shares)
                        : messages
                                * Math.max(1, Math.ceil(bytes / messages / slicing.pieceBytes()));
        return pieces * model.link(link).messageNanos() + bytes * byteNanos;
    }
}
