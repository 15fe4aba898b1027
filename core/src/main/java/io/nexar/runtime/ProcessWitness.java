package io.nexar.runtime;

import io.nexar.MemberId;
import io.nexar.rendezvous.Roster;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Looks whether the members on this host still have a process. A number is believed only where it
 * means the same to both: on one host, in one space of numbers. A process that was killed and whose
 * parent has not fetched its exit code is dead as well. The heartbeats' thread's.
 */
final class ProcessWitness {
    private static final Path PROC = Path.of("/proc");

    private final Map<MemberId, ProcessHandle> watched = new HashMap<>();
    private final Set<MemberId> missing = new HashSet<>();

    /** Watches those that share a host with the member of that rank. */
    ProcessWitness(Roster roster, int rank) {
        Roster.Entry self = roster.entry(rank);
        for (Roster.Entry other : roster.members()) {
            if (other.host().equals(self.host())
                    && !other.process().equals(self.process())
                    && space(other).equals(space(self))) {
                watch(other);
            }
        }
    }

    private void watch(Roster.Entry entry) {
        try {
            long pid = Long.parseLong(entry.process().substring(space(entry).length() + 1));
            // The handle knows when its process began, so a number that is used again is no life.
            ProcessHandle.of(pid).ifPresent(handle -> watched.put(entry.member(), handle));
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            return; // says nothing that we understand: the other witnesses remain
        }
    }

    private static String space(Roster.Entry entry) {
        return entry.process().substring(0, Math.max(0, entry.process().lastIndexOf('/')));
    }

    /** It has left, or is lost. */
    void forget(MemberId member) {
        watched.remove(member);
    }

    /**
     * Those that were gone already when this was asked last: a goodbye that is on its way has had
     * the time to arrive.
     */
    List<MemberId> gone() {
        List<MemberId> gone = new ArrayList<>();
        watched.forEach((member, process) -> {
            if (!isGone(process)) {
                missing.remove(member);
            } else if (!missing.add(member)) {
                gone.add(member);
            }
        });
        return gone;
    }

    private static boolean isGone(ProcessHandle process) {
        return !process.isAlive() || isZombie(process.pid());
    }

    /** The state follows the name, which may hold anything, in brackets: {@code 17 (java) Z 1}. */
    private static boolean isZombie(long pid) {
        try {
            String stat =
                    Files.readString(PROC.resolve(pid + "/stat"), StandardCharsets.ISO_8859_1);
            int state = stat.lastIndexOf(')') + 2;
            return state < stat.length() && stat.charAt(state) == 'Z';
        } catch (IOException e) {
            return false; // no such file: the handle knows
        }
    }
}
