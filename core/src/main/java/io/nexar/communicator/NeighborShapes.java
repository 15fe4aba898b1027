package io.nexar.communicator;

import io.nexar.DataBuffer;
import io.nexar.Neighborhood;
import io.nexar.collective.NeighborParts;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Both forms of an exchange with neighbours: one part of a buffer a place, or a buffer a place. */
final class NeighborShapes {
    /** Of a rank without neighbours, whose type is nobody's concern. */
    private static final DataBuffer NOTHING = DataBuffer.of(new byte[0]);

    private NeighborShapes() {}

    static void parts(CollectiveSpec spec, int rank, int size) {
        Neighborhood neighborhood = Objects.requireNonNull(spec.neighborhood(), "neighborhood");
        requireSize(neighborhood, size);
        DataBuffer send = spec.send();
        DataBuffer receive = spec.receive();
        Arguments.requireSameType(send, receive);
        List<Integer> destinations = neighborhood.destinations(rank);
        List<Integer> sources = neighborhood.sources(rank);
        long count = part(send, receive, destinations.size(), sources.size());
        spec.moves(send, receive, send.count());
        spec.exchanges(
                parts(
                        cut(send, destinations.size(), count),
                        cut(receive, sources.size(), count),
                        destinations,
                        sources));
    }

    static void buffers(CollectiveSpec spec, int rank, int size) {
        Neighborhood neighborhood = Objects.requireNonNull(spec.neighborhood(), "neighborhood");
        requireSize(neighborhood, size);
        List<DataBuffer> send = spec.sendParts();
        List<DataBuffer> receive = spec.receiveParts();
        List<Integer> destinations = neighborhood.destinations(rank);
        List<Integer> sources = neighborhood.sources(rank);
        requirePlaces("to send", send, destinations);
        requirePlaces("to receive into", receive, sources);
        long total = 0;
        for (DataBuffer buffer : send) {
            total = Math.addExact(total, buffer.count());
        }
        DataBuffer typed = send.isEmpty() ? null : send.getFirst();
        spec.moves(typed, receive.isEmpty() ? null : receive.getFirst(), total);
        spec.exchanges(parts(send, receive, destinations, sources));
    }

    private static void requireSize(Neighborhood neighborhood, int size) {
        if (neighborhood instanceof Neighborhood.Cartesian grid && grid.size() != size) {
            throw new IllegalArgumentException(
                    "a grid of %s, which is %d ranks; this communicator has %d"
                            .formatted(grid.dimensions(), grid.size(), size));
        }
    }

    /** How many elements each part has. */
    private static long part(DataBuffer send, DataBuffer receive, int destinations, int sources) {
        DataBuffer measured = destinations > 0 ? send : receive;
        int places = destinations > 0 ? destinations : sources;
        long count = places == 0 ? 0 : measured.count() / places;
        if (send.count() != count * destinations || receive.count() != count * sources) {
            throw new IllegalArgumentException(
                    ("send buffer of %d and receive buffer of %d elements, for %d places to send to"
                                    + " and %d to receive from; all parts must have one count")
                            .formatted(send.count(), receive.count(), destinations, sources));
        }
        return count;
    }

    private static List<DataBuffer> cut(DataBuffer whole, int parts, long count) {
        List<DataBuffer> cut = new ArrayList<>(parts);
        for (int i = 0; i < parts; i++) {
            cut.add(whole.slice(i * count, count));
        }
        return cut;
    }

    private static void requirePlaces(String what, List<DataBuffer> given, List<Integer> places) {
        if (given.size() != places.size()) {
            throw new IllegalArgumentException(
                    "%d buffers %s; the neighbourhood has %d places: %s"
                            .formatted(given.size(), what, places.size(), places));
        }
    }

    /** What lies in an empty place is neither sent nor written, and may be anything. */
    private static NeighborParts parts(
            List<DataBuffer> send,
            List<DataBuffer> receive,
            List<Integer> destinations,
            List<Integer> sources) {
        List<DataBuffer> out = filled(send, destinations);
        List<DataBuffer> in = filled(receive, sources);
        in.forEach(Arguments::requireWritable);
        Places.requireApart(in);
        for (DataBuffer read : out) {
            for (DataBuffer written : in) {
                if (read.overlaps(written)) {
                    throw new IllegalArgumentException(
                            "send buffer (%s) and receive buffer (%s) overlap; they must be apart"
                                    .formatted(read, written));
                }
            }
        }
        DataBuffer typed = Stream.concat(out.stream(), in.stream()).findFirst().orElse(NOTHING);
        out.forEach(buffer -> Arguments.requireSameType(typed, buffer));
        in.forEach(buffer -> Arguments.requireSameType(typed, buffer));
        return NeighborParts.of(
                typed.dataType(), memory(send, destinations), memory(receive, sources));
    }

    private static List<DataBuffer> filled(List<DataBuffer> buffers, List<Integer> places) {
        List<DataBuffer> filled = new ArrayList<>();
        for (int i = 0; i < buffers.size(); i++) {
            if (places.get(i) != Neighborhood.NO_NEIGHBOR) {
                filled.add(buffers.get(i));
            }
        }
        return filled;
    }

    private static List<MemorySegment> memory(List<DataBuffer> buffers, List<Integer> places) {
        List<MemorySegment> memory = new ArrayList<>(buffers.size());
        for (int i = 0; i < buffers.size(); i++) {
            memory.add(
                    places.get(i) == Neighborhood.NO_NEIGHBOR
                            ? MemorySegment.NULL
                            : buffers.get(i).segment());
        }
        return memory;
    }
}
