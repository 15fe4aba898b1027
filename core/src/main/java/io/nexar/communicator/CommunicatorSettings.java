package io.nexar.communicator;

import io.nexar.CompressionState;
import io.nexar.MemberId;
import io.nexar.collective.AlgorithmPolicy;
import io.nexar.collective.EngineRules;
import io.nexar.collective.plan.PlanCatalog;
import io.nexar.memory.BufferPools;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * What all communicators of one rank share.
 *
 * @param engines how each one's engine cuts
 * @param algorithms the choice where the caller makes none
 * @param isDeterministic whether reductions go the same way whatever their length
 * @param buffers hold pieces that come before their step
 * @param open the communicators that are open here
 * @param hosts names the host that a member is on; equal names, one host
 * @param stallReportAfter when a wait is told in the log
 * @param objects how objects travel
 * @param compression what a state compresses with that leaves it to the settings
 * @param callbacks completes futures, so that no caller's code runs in the thread that polls
 */
public record CommunicatorSettings(
        EngineRules engines,
        AlgorithmPolicy algorithms,
        boolean isDeterministic,
        PlanCatalog plans,
        BufferPools buffers,
        OpenCommunicators open,
        Function<MemberId, String> hosts,
        Executor callbacks,
        Duration stallReportAfter,
        ObjectFormat objects,
        CompressionState.Method compression,
        LongSupplier nanoClock) {}
