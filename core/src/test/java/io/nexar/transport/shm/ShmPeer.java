package io.nexar.transport.shm;

import io.nexar.MemberId;
import io.nexar.transport.FrameHandler;
import io.nexar.transport.Lane;
import io.nexar.transport.Link;
import io.nexar.transport.PeerAddress;
import io.nexar.transport.SendResult;
import io.nexar.transport.Sleeper;
import io.nexar.wire.FrameHeader;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

/**
 * A process that dials member 0 and sends each frame back, until its link closes. Says on standard
 * output what became of it.
 */
public final class ShmPeer implements FrameHandler {
    private record Frame(Lane lane, FrameHeader header, MemorySegment payload) {}

    private final Queue<Frame> back = new ArrayDeque<>();

    private ShmPeer() {}

    /** Argument: the address of member 0. */
    @SuppressWarnings("SystemOut") // What it is asked for.
    public static void main(String[] arguments) throws Exception {
        var out = new java.io.PrintStream(new java.io.FileOutputStream(java.io.FileDescriptor.out));
        try (ShmEndpoint endpoint =
                ShmMembers.open(
                        ShmMembers.settings(new MemberId(1), any -> true, any -> {}, () -> {}),
                        refusal -> {})) {
            PeerAddress address = new PeerAddress("shm", List.of(arguments[0]));
            Link link = endpoint.connect(new MemberId(0), address, ShmMembers.DIAL_NANOS).get();
            out.println("linked");
            new ShmPeer().serve(link, endpoint.sleeper());
            out.println("closed: " + link.closeCause());
        } catch (Exception e) {
            out.println("failed: " + e);
        }
        out.flush();
    }

    private void serve(Link link, Sleeper sleeper) {
        while (!link.isClosed()) {
            int count = link.poll(this, 64);
            while (!back.isEmpty() && trySend(link, back.peek())) {
                back.remove();
            }
            link.flush();
            if (count == 0) {
                long ticket = sleeper.prepare();
                if (link.isReady() || !back.isEmpty()) {
                    sleeper.cancel();
                } else {
                    sleeper.sleep(ticket, TimeUnit.SECONDS.toNanos(10));
                }
            }
        }
    }

    private static boolean trySend(Link link, Frame frame) {
        return link.trySend(frame.lane, frame.header, frame.payload, token -> {}, 0)
                != SendResult.REFUSED;
    }

    @Override
    public void onFrame(Link link, Lane lane, FrameHeader header, MemorySegment payload) {
        MemorySegment copy = MemorySegment.ofArray(payload.toArray(ValueLayout.JAVA_BYTE));
        back.add(new Frame(lane, new FrameHeader().copyFrom(header), copy));
    }
}
