package io.nexar.rendezvous;

import io.nexar.rendezvous.MemberRow.Standing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Everybody who is or was a member of the job, for those who look at it. */
final class MemberRows {

    private final SeedRegister register;

    MemberRows(SeedRegister register) {
        this.register = register;
    }

    /** By rank, and before ranks are given out by the order of coming. */
    List<MemberRow> all(JobView job) {
        List<MemberRow> rows = new ArrayList<>();
        for (Joiner member : register.members()) {
            rows.add(row(member, standing(member, job.phase()), 0, ""));
        }
        for (SeedRegister.Departure gone : register.departures()) {
            rows.add(
                    row(
                            gone.member(),
                            gone.isOrderly() ? Standing.LEFT : Standing.LOST,
                            Math.max(0, job.nowNanos() - gone.atNanos()),
                            gone.reason()));
        }
        rows.sort(Comparator.comparingInt(MemberRow::rank).thenComparingLong(MemberRow::memberId));
        return rows;
    }

    private static MemberRow row(
            Joiner member, Standing standing, long goneNanos, String goneBecause) {
        return new MemberRow(
                member.memberId,
                member.rank == Joiner.NO_RANK ? member.claim : member.rank,
                standing,
                member.host,
                member.remote,
                member.pid,
                goneNanos,
                goneBecause);
    }

    private static Standing standing(Joiner member, SeedPhase phase) {
        return switch (member.stage) {
            case STRANGER, ADMITTED -> Standing.OPENING;
            case READY -> phase == SeedPhase.LINKING ? Standing.LINKING : Standing.WAITING;
            case LINKED -> phase == SeedPhase.LINKING ? Standing.LINKED : Standing.RUNNING;
        };
    }
}
