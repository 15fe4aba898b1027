package io.nexar.rendezvous;

/**
 * How long a worker tries.
 *
 * @param formationNanos until the job must have formed ({@code nexar.timeout.formation})
 * @param dialNanos for one dial, its TLS handshake included ({@code nexar.timeout.dial})
 */
public record JoinTimeouts(long formationNanos, long dialNanos) {
    public JoinTimeouts {
        if (formationNanos <= 0 || dialNanos <= 0) {
            throw new IllegalArgumentException(
                    "timeouts of " + formationNanos + " and " + dialNanos + " ns: must be above 0");
        }
    }
}
