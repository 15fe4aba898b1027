import org.pcj.PCJ;
import org.pcj.RegisterStorage;
import org.pcj.StartPoint;
import org.pcj.Storage;

import java.util.stream.LongStream;

/**
 * What bench/compare times of PCJ 5.3.0 between two processes, as in mpi_peer.c: a barrier, call
 * after call, or after a barrier a broadcast, which is over once the other has it.
 *
 * <pre>
 *   java -cp pcj-5.3.0.jar:CLASSES PcjPeer barrier 0
 *   java -cp pcj-5.3.0.jar:CLASSES PcjPeer broadcast 1048576
 * </pre>
 */
@RegisterStorage(PcjPeer.Shared.class)
public class PcjPeer implements StartPoint {
    @Storage(PcjPeer.class)
    enum Shared {
        data
    }

    private float[] data = new float[0];

    /** Starts both processes; they get the operation and the sizes as properties. */
    public static void main(String[] arguments) {
        PCJ.executionBuilder(PcjPeer.class)
                .addNode("localhost:18091")
                .addNode("localhost:18092")
                .addProperty("op", arguments[0])
                .addProperty("sizes", arguments[1])
                .deploy();
    }

    @Override
    public void main() throws Throwable {
        for (String size : PCJ.getProperty("sizes").split(",")) {
            measure(PCJ.getProperty("op"), Integer.parseInt(size));
        }
    }

    private void measure(String op, int bytes) {
        int iterations = bytes < 65536 ? 20_000 : bytes < 1 << 20 ? 2_000 : 100;
        long[] nanos = new long[iterations];
        for (int call = -iterations / 5 - 1; call < iterations; call++) {
            long took = op.equals("barrier") ? barrier() : broadcast(bytes, call);
            if (call >= 0) {
                nanos[call] = took;
            }
        }
        if (PCJ.myId() == 0) {
            double[] us = LongStream.of(nanos).sorted().mapToDouble(n -> n / 1e3).toArray();
            System.out.printf(
                    "{\"peer\":\"pcj\",\"op\":\"%s\",\"ranks\":2,\"bytes\":%d,\"iterations\":%d,"
                            + "\"min_us\":%.3f,\"p50_us\":%.3f,\"p99_us\":%.3f}%n",
                    op, bytes, iterations, us[0], us[iterations / 2], us[iterations * 99 / 100]);
        }
    }

    private long barrier() {
        long start = System.nanoTime();
        PCJ.barrier();
        return System.nanoTime() - start;
    }

    private long broadcast(int bytes, int call) {
        float[] sent = new float[bytes / Float.BYTES];
        if (PCJ.myId() == 0) {
            for (int item = 0; item < sent.length; item++) {
                sent[item] = item % 1021 + call;
            }
        }
        PCJ.barrier();
        long start = System.nanoTime();
        if (PCJ.myId() == 0) {
            PCJ.broadcast(sent, Shared.data);
        }
        PCJ.waitFor(Shared.data);
        long took = System.nanoTime() - start;
        if (data.length * Float.BYTES != bytes) {
            throw new IllegalStateException(data.length + " items came of " + bytes + " bytes");
        }
        for (int item = 0; item < data.length; item++) {
            if (data[item] != item % 1021 + call) {
                throw new IllegalStateException("item " + item + " came as " + data[item]);
            }
        }
        return took;
    }
}
