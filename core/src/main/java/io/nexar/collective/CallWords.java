package io.nexar.collective;

import io.nexar.CallDescription;
import io.nexar.collective.plan.PlanRequest;

import org.jspecify.annotations.Nullable;

/** What the caller called, for an error that compares calls, and where. */
final class CallWords {
    private CallWords() {}

    static CallDescription of(CollectiveCall call, @Nullable String site) {
        PlanRequest request = call.plan().request();
        Topic topic = call.topic();
        return new CallDescription(
                        request.rank(),
                        call.name(),
                        topic == null ? call.count() : topic.count(),
                        topic == null ? call.dataType() : topic.type(),
                        topic == null ? call.reductionName() : topic.reduction(),
                        request.operation().isRooted() ? request.root() : CallDescription.NO_ROOT,
                        call.sequence())
                .madeAt(site)
                .inParts(CallParts.of(call));
    }
}
