package io.nexar.collective.plan.check;

import io.nexar.collective.plan.Plan;
import io.nexar.collective.plan.StepKind;

import java.util.random.RandomGenerator;

/** In which order steps that could run do run. */
enum Schedule {
    /** As told: round by round. */
    BY_ROUNDS {
        @Override
        int urgency(Plan.Step step, RandomGenerator random) {
            return step.round();
        }
    },
    /** What is read is read as early, and what arrives is written as late, as can be. */
    SENDS_FIRST {
        @Override
        int urgency(Plan.Step step, RandomGenerator random) {
            int kind = step.kind() == StepKind.SEND ? 0 : step.isLocal() ? 1 : 2;
            return kind * LATER_THAN_ALL_ROUNDS - step.round();
        }
    },
    /** What arrives is written as early, and what is sent is read as late, as can be. */
    SENDS_LAST {
        @Override
        int urgency(Plan.Step step, RandomGenerator random) {
            int kind = step.kind() == StepKind.SEND ? 2 : step.isLocal() ? 1 : 0;
            return kind * LATER_THAN_ALL_ROUNDS - step.round();
        }
    },
    RANDOM {
        @Override
        int urgency(Plan.Step step, RandomGenerator random) {
            return random.nextInt(LATER_THAN_ALL_ROUNDS);
        }
    };

    private static final int LATER_THAN_ALL_ROUNDS = 1 << 24;

    /** The smaller, the sooner. */
    abstract int urgency(Plan.Step step, RandomGenerator random);
}
