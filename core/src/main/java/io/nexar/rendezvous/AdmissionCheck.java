package io.nexar.rendezvous;

import io.nexar.rendezvous.JoinMessage.Hello;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.Map;
import java.util.TreeSet;

/**
 * Why a worker may not join, in the order in which it is told: the token comes first, so that one
 * who does not know it learns nothing else about the job. Pure.
 */
final class AdmissionCheck {

    private AdmissionCheck() {}

    /** The reason for a refusal, or null. */
    static @Nullable String refusal(
            Hello hello,
            SeedRules rules,
            @Nullable Map<String, String> settings,
            Collection<Joiner> members) {
        String stranger = refusal(hello.job(), hello.token(), rules);
        if (stranger != null) {
            return stranger;
        }
        if (hello.worldSize() != JoinMessage.ANY && hello.worldSize() != rules.worldSize()) {
            return "the world has " + rules.worldSize() + " ranks, not " + hello.worldSize();
        }
        if (settings != null && !settings.equals(hello.settings())) {
            return "settings that must agree differ: " + difference(settings, hello.settings());
        }
        return placeRefusal(hello, rules.worldSize(), members);
    }

    /** The reason why somebody may not even look at the job, or null. */
    static @Nullable String refusal(String job, String token, SeedRules rules) {
        if (!isToken(token, rules)) {
            return "the token is wrong";
        }
        return job.equals(rules.job()) ? null : "this is job " + rules.job() + ", not job " + job;
    }

    private static @Nullable String placeRefusal(
            Hello hello, int worldSize, Collection<Joiner> members) {
        int rank = hello.rank();
        if (rank != JoinMessage.ANY && (rank < 0 || rank >= worldSize)) {
            return "rank " + rank + " is outside the world of " + worldSize + " ranks";
        }
        for (Joiner member : members) {
            if (rank != JoinMessage.ANY && member.claim == rank) {
                return "rank " + rank + " is already taken by " + member.describe();
            }
        }
        if (members.size() >= worldSize) {
            return "all " + worldSize + " places are taken";
        }
        return null;
    }

    /** In a time that does not depend on where the two differ. */
    private static boolean isToken(String token, SeedRules rules) {
        return MessageDigest.isEqual(
                token.getBytes(StandardCharsets.UTF_8),
                rules.token().reveal().getBytes(StandardCharsets.UTF_8));
    }

    private static String difference(Map<String, String> job, Map<String, String> worker) {
        TreeSet<String> keys = new TreeSet<>(job.keySet());
        keys.addAll(worker.keySet());
        StringBuilder text = new StringBuilder();
        for (String key : keys) {
            String ours = job.getOrDefault(key, "not set");
            String theirs = worker.getOrDefault(key, "not set");
            if (!ours.equals(theirs)) {
                text.append(text.isEmpty() ? "" : ", ").append(key).append(" is ").append(ours);
                text.append(" in the job and ").append(theirs).append(" here");
            }
        }
        return text.toString();
    }
}
