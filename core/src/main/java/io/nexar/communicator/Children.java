package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.MemberId;
import io.nexar.wire.CommunicatorPath;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * Makes communicators out of one.
 *
 * <p>Each way is a collective of its own name, so that ranks that call different ones are told. A
 * split gathers everybody's (colour, key); a duplicate gathers nothing and is a barrier. The
 * child's path is the parent's and (number of the child, colour), which every member knows then; so
 * a member may use the child before another has made it. A rank whose part fails opens the child
 * for its path's sake, gives the reason and closes it: those who have made theirs don't wait for
 * it.
 */
final class Children {
    private final CommunicatorCore parent;
    private final Collectives collectives;

    Children(CommunicatorCore parent, Collectives collectives) {
        this.parent = parent;
        this.collectives = collectives;
    }

    /** A child of one call. */
    private record Birth(String name, CommunicatorPath path) {}

    CommunicatorCore duplicate() {
        Birth birth = begin(0, number -> parent.name() + ".duplicate(" + number + ")");
        agree("duplicate", birth, collectives.spec().barrier());
        return make(birth, parent.members());
    }

    /** Nothing for a negative colour. */
    Optional<CommunicatorCore> split(int color, int key) {
        return split("split", color, key);
    }

    CommunicatorCore splitByHost() {
        List<String> hosts =
                parent.members().stream().map(parent.settings().hosts()).distinct().toList();
        String own = parent.settings().hosts().apply(parent.member(parent.rank()));
        return split("splitByHost", hosts.indexOf(own), 0).orElseThrow();
    }

    private Optional<CommunicatorCore> split(String operation, int color, int key) {
        Birth birth =
                begin(
                        Math.max(0, color),
                        number ->
                                parent.name()
                                        + "."
                                        + operation
                                        + "("
                                        + number
                                        + ")["
                                        + color
                                        + "]");
        int[] all = new int[2 * parent.size()];
        DataBuffer own = DataBuffer.of(new int[] {color, key});
        CollectiveSpec gather = collectives.spec().allGather(own, DataBuffer.of(all));
        agree(operation, color < 0 ? null : birth, gather);
        return color < 0 ? Optional.empty() : Optional.of(make(birth, membersOf(color, all)));
    }

    /** Takes the child's number; every rank takes the same, since all make the same calls. */
    private Birth begin(int color, IntFunction<String> name) {
        parent.progress().lock();
        try {
            int number = parent.takeChildNumber();
            List<CommunicatorPath.Branch> branches =
                    new ArrayList<>(parent.channel().path().branches());
            branches.add(new CommunicatorPath.Branch(number, color));
            return new Birth(name.apply(number), new CommunicatorPath(parent.epoch(), branches));
        } finally {
            parent.progress().unlock();
        }
    }

    private void agree(String operation, @Nullable Birth birth, CollectiveSpec spec) {
        PendingCollective<Void> pending = collectives.start(spec.calledAs(operation), () -> null);
        try {
            pending.await();
        } catch (RuntimeException failure) {
            if (birth != null) {
                parent.stillborn(birth.name(), birth.path(), failure);
            }
            throw failure;
        }
    }

    private CommunicatorCore make(Birth birth, List<MemberId> members) {
        return parent.child(birth.name(), birth.path(), members);
    }

    /** Equal keys keep the order of the parent. */
    private List<MemberId> membersOf(int color, int[] all) {
        return IntStream.range(0, parent.size())
                .filter(rank -> all[2 * rank] == color)
                .boxed()
                .sorted(Comparator.comparingInt((Integer rank) -> all[2 * rank + 1]))
                .map(parent.members()::get)
                .toList();
    }
}
