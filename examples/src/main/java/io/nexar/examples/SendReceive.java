package io.nexar.examples;

import io.nexar.Communicator;
import io.nexar.DataBuffer;
import io.nexar.Nexar;
import io.nexar.Status;

/** Each rank passes a message to the next one in a ring: {@code ./nexar run -n 4 send-receive}. */
public final class SendReceive {

    /** The program's own label for these messages; a receive takes only what carries it. */
    private static final int TAG = 7;

    private SendReceive() {}

    public static void main(String[] args) {
        try (Nexar nexar = Nexar.join()) {
            System.out.println(passOn(nexar.world()));
        }
    }

    /** All send and receive at once; {@code send} before {@code receive} could wait for ever. */
    static String passOn(Communicator world) {
        int next = (world.rank() + 1) % world.size();
        int previous = (world.rank() + world.size() - 1) % world.size();
        int[] sent = {100 + world.rank()};
        int[] received = new int[1];
        Status status =
                world.sendReceive(
                        DataBuffer.of(sent), next, TAG, DataBuffer.of(received), previous, TAG);
        return "rank %d got %d from rank %d".formatted(world.rank(), received[0], status.source());
    }
}
