package io.nexar.cli.status;

import io.nexar.observe.CallReport;
import io.nexar.observe.CommunicatorReport;
import io.nexar.observe.RankReport;

import java.util.Comparator;
import java.util.Optional;
import java.util.stream.Collectors;

/** The call that most likely holds a rank: its oldest collective, else its oldest message. */
record CurrentCall(CommunicatorReport communicator, CallReport call) {

    static Optional<CurrentCall> of(RankReport report) {
        return report.communicators().stream()
                .flatMap(each -> each.calls().stream().map(call -> new CurrentCall(each, call)))
                .max(
                        Comparator.comparing(CurrentCall::isCollective)
                                .thenComparingLong(current -> current.call().ageNanos()));
    }

    private boolean isCollective() {
        return call.sequence() != CallReport.NO_SEQUENCE;
    }

    /** For example {@code allReduce #41 (1000 F32, SUM) on world, waits for rank 2}. */
    String describe() {
        return call.describe() + " on " + communicator.name() + waits(call);
    }

    /** Whom a call waits for, behind a comma; nothing where that is not known. */
    static String waits(CallReport call) {
        if (call.waitingFor().isEmpty()) {
            return "";
        }
        String ranks =
                call.waitingFor().stream().map(String::valueOf).collect(Collectors.joining(", "));
        int more = call.waitingForCount() - call.waitingFor().size();
        return (call.waitingForCount() == 1 ? ", waits for rank " : ", waits for ranks ")
                + ranks
                + (more > 0 ? " and " + more + " more" : "");
    }
}
