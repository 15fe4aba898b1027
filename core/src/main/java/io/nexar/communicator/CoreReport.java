package io.nexar.communicator;

import io.nexar.CallDescription;
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
        CallDescription oldest = engine.waits().call();
        List<CallReport> calls = new ArrayList<>();
        if (oldest != null) {
            calls.add(collective(engine, oldest));
        }
        calls.addAll(channel.waits());
        return new CommunicatorReport(
                core.name(),
                core.rank(),
                core.size(),
                engine.nextSequence(),
                oldest == null ? 0 : (int) (engine.nextSequence() - oldest.sequence()),
                calls,
                channel.queues(),
                broken == null ? "" : String.valueOf(broken.getMessage()));
    }

    private static CallReport collective(CollectiveEngine engine, CallDescription call) {
        List<Integer> waitingFor = engine.waits().waitingFor(call.sequence());
        return new CallReport(
                call.operation(),
                call.sequence(),
                details(call),
                engine.waits().callNanos(),
                waitingFor,
                waitingFor.size(),
                call.callSite() == null ? "" : call.callSite());
    }

    /** For example {@code 1000 F32, SUM, root 1}. */
    private static String details(CallDescription call) {
        List<String> details = new ArrayList<>();
        if (call.type() != null) {
            details.add(call.count() + " " + call.type());
        }
        if (call.reduction() != null) {
            details.add(call.reduction());
        }
        if (call.root() != CallDescription.NO_ROOT) {
            details.add("root " + call.root());
        }
        return String.join(", ", details);
    }
}
