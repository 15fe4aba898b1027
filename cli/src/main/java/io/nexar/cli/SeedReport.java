package io.nexar.cli;

import io.nexar.rendezvous.SeedEvent;

import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Tells what happens at a seed, as lines for people or as JSON for programs, and what exit code
 * that makes. The seed's thread owns it once the seed runs; only {@link #listening} comes from
 * another, so printing is guarded.
 */
final class SeedReport {

    private final PrintWriter out;
    private final boolean json;
    private final CompletableFuture<Integer> outcome;
    private boolean isGood = true;

    SeedReport(PrintWriter out, boolean json, CompletableFuture<Integer> outcome) {
        this.out = out;
        this.json = json;
        this.outcome = outcome;
    }

    /** {@code joinString} is empty if it went to a file. */
    void listening(String address, int ranks, String joinString) {
        String text = "seed of %d ranks listens on %s".formatted(ranks, address);
        if (!joinString.isEmpty()) {
            text += "; start each worker with%nNEXAR_SEED='%s'".formatted(joinString);
        }
        Map<String, Object> facts = facts("address", address, "ranks", ranks);
        if (!joinString.isEmpty()) {
            facts.put("joinString", joinString);
        }
        print("listening", text, facts);
    }

    void handle(SeedEvent event) {
        switch (event) {
            case SeedEvent.Refused(var remote, var reason) ->
                    print(
                            "refused",
                            "refused " + remote + ": " + reason,
                            facts("remote", remote, "reason", reason));
            case SeedEvent.Admitted(var member, var rank, var host, var pid) ->
                    print(
                            "admitted",
                            "admitted process %d on %s".formatted(pid, host)
                                    + (rank < 0 ? "" : ", which asks for rank " + rank),
                            facts("member", member, "rank", rank, "host", host, "pid", pid));
            case SeedEvent.Withdrawn(var who, var reason) ->
                    print(
                            "withdrawn",
                            who + " went away: " + reason,
                            facts("who", who, "reason", reason));
            case SeedEvent.Formed formed -> print("formed", "the job has formed", facts());
            case SeedEvent.FormationFailed(var reason, var missing) -> {
                print(
                        "failed",
                        "the job did not form: " + reason,
                        facts("reason", reason, "missingRanks", missing));
                outcome.complete(ExitCodes.FAILED);
            }
            case SeedEvent.Departed(var member, var rank, var orderly, var reason) -> {
                isGood &= orderly;
                print(
                        "departed",
                        "rank %d %s: %s".formatted(rank, orderly ? "left" : "was lost", reason),
                        facts("rank", rank, "orderly", orderly, "reason", reason));
            }
            case SeedEvent.Aborted(var rank, var reason) -> {
                isGood = false;
                print(
                        "aborted",
                        "rank %d aborted the job: %s".formatted(rank, reason),
                        facts("rank", rank, "reason", reason));
            }
            case SeedEvent.Ended ended -> {
                print("ended", "every rank is gone", facts());
                outcome.complete(isGood ? ExitCodes.OK : ExitCodes.FAILED);
            }
        }
    }

    private synchronized void print(String event, String text, Map<String, Object> facts) {
        if (json) {
            Map<String, Object> all = new LinkedHashMap<>();
            all.put("event", event);
            all.putAll(facts);
            out.println(Json.object(all));
        } else {
            out.println("nexar: " + text);
        }
        out.flush();
    }

    /** Names and values in turn. */
    private static Map<String, Object> facts(Object... namesAndValues) {
        Map<String, Object> facts = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            facts.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return facts;
    }
}
