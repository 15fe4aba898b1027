package io.nexar.fabric;

import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.wire.FrameHeader;

import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayDeque;

/**
 * A link that asks where each payload is to go and brings it there in two halves, a poll apart: as
 * one does that reads a socket. What has no place it shows; what loses its place it loses.
 */
final class BringingLink {
    private final ArrayDeque<Frame> arrived = new ArrayDeque<>();
    private boolean isHalfThere;
    private int brought;
    private int shown;
    private int lost;

    private record Frame(Lane lane, FrameHeader header, byte[] payload) {}

    /** A link that brings what this one shows. */
    Link around(Link inner) {
        return (Link)
                Proxy.newProxyInstance(
                        Link.class.getClassLoader(),
                        new Class<?>[] {Link.class},
                        (proxy, method, arguments) -> {
                            if (method.getName().equals("poll")) {
                                return poll(inner, (Link) proxy, (FrameHandler) arguments[0]);
                            }
                            try {
                                return method.invoke(inner, arguments);
                            } catch (InvocationTargetException thrown) {
                                throw thrown.getCause();
                            }
                        });
    }

    /** Frames whose payload was brought to its place, shown, or lost on the way. */
    int brought() {
        return brought;
    }

    int shown() {
        return shown;
    }

    int lost() {
        return lost;
    }

    /** Whether a frame is on its way that has been brought by half. */
    boolean isHalfThere() {
        return isHalfThere;
    }

    private int poll(Link inner, Link self, FrameHandler handler) {
        int count = inner.poll(this::keep, 64);
        while (!arrived.isEmpty() && bring(self, handler, arrived.peek())) {
            arrived.remove();
            count++;
        }
        return count + arrived.size();
    }

    private void keep(Link from, Lane lane, FrameHeader header, MemorySegment payload) {
        byte[] copy = new byte[header.payloadBytes()];
        MemorySegment.ofArray(copy).copyFrom(payload);
        arrived.add(new Frame(lane, new FrameHeader().copyFrom(header), copy));
    }

    /** Moves the first frame on by a step; true once it has been delivered. */
    private boolean bring(Link self, FrameHandler handler, Frame frame) {
        MemorySegment place = handler.destination(self, frame.lane(), frame.header());
        if (place != null && place.byteSize() != frame.payload().length) {
            throw new AssertionError(place + " for " + frame.header());
        }
        if (place == null && !isHalfThere) {
            shown++;
            deliver(self, handler, frame, MemorySegment.ofArray(frame.payload()));
            return true;
        }
        int middle = frame.payload().length / 2;
        if (!isHalfThere) {
            MemorySegment.copy(MemorySegment.ofArray(frame.payload()), 0, place, 0, middle);
            isHalfThere = true;
            return false;
        }
        isHalfThere = false;
        deliver(self, handler, frame, finish(frame, place, middle));
        return true;
    }

    private MemorySegment finish(Frame frame, @Nullable MemorySegment place, int middle) {
        if (place == null) {
            lost++;
            return MemorySegment.ofArray(new byte[frame.payload().length]);
        }
        brought++;
        MemorySegment source = MemorySegment.ofArray(frame.payload());
        MemorySegment.copy(source, middle, place, middle, frame.payload().length - middle);
        return place;
    }

    private static void deliver(
            Link self, FrameHandler handler, Frame frame, MemorySegment payload) {
        handler.onFrame(self, frame.lane(), frame.header(), payload);
    }
}
