package io.nexar.communicator;

import io.nexar.collective.CollectiveEngine;
import io.nexar.fabric.ChannelReport;
import io.nexar.observe.CallReport;
import io.nexar.observe.CommunicatorReport;

import java.util.ArrayList;
import java.util.List;

/** What a communicator is in, for people. With the progress lock held. */
final class CoreReport {
    private CoreReport() {}

    static CommunicatorReport of(CommunicatorCore core) {
        CollectiveEngine engine = core.engine();
        ChannelReport channel = core.channel().report();
        RuntimeException broken = engine.brokenReason();
        List<CallReport> calls = new ArrayList<>();
        calls.addAll(channel.waits());
        return new CommunicatorReport(
                core.name(),
                core.rank(),
                core.size(),
                engine.nextSequence(),
                0,
                calls,
                channel.queues(),
                broken == null ? "" : String.valueOf(broken.getMessage()));
    }
}
