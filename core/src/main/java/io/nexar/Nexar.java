package io.nexar;

import io.nexar.config.SettingsReader;
import io.nexar.runtime.Entry;
import io.nexar.spi.NexarRuntime;

import java.util.Map;

/**
 * This process's part in a job: the entry to everything else. A process may hold several. Safe from
 * any thread.
 *
 * <pre>{@code
 * try (Nexar nexar = Nexar.join()) {
 *     nexar.world().allReduce(DataBuffer.of(gradient), ReduceOp.SUM);
 * }
 * }</pre>
 */
public final class Nexar implements AutoCloseable {

    private final NexarRuntime runtime;

    Nexar(NexarRuntime runtime) {
        this.runtime = runtime;
    }

    /**
     * Joins with the settings of {@link NexarConfig#fromEnvironment()}: {@link #join(NexarConfig)}.
     * Without any setting that names a seed, this process is a world of one.
     */
    public static Nexar join() {
        return new Nexar(Entry.join(NexarConfig.fromEnvironment(), SettingsReader.environment()));
    }

    /**
     * Joins a job. Blocks until all ranks have met, at most {@code nexar.timeout.formation}.
     *
     * @param config all there is to know; nothing else is looked at
     * @throws ConfigurationException if settings contradict each other
     * @throws RendezvousException if this process is refused, or others are missing at the
     *     deadline; what was opened is closed again
     */
    public static Nexar join(NexarConfig config) {
        return new Nexar(Entry.join(config, Map.of()));
    }

    /** The communicator of all ranks. Closing it is not needed: {@link #close()} does. */
    public Communicator world() {
        return runtime.world();
    }

    /** The effective settings, with secrets masked. */
    public NexarConfig config() {
        return runtime.config().masked();
    }

    /** Who belongs to the job. */
    public Membership membership() {
        return runtime.membership();
    }

    /**
     * Leaves in good order: finishes what runs here, says goodbye, frees everything; blocks at most
     * {@code nexar.timeout.close}. Not collective: other ranks go on, and get {@link
     * PeerLeftException} if they still need this one. Nothing starts here any more. A second call
     * does nothing.
     *
     * <p>A JVM that ends without it is a lost rank to the others, at once.
     *
     * @throws DeadlineException if something was not over in time: what, and for whom it waited. It
     *     has ended with {@link ClosedException}; everything is freed all the same
     * @throws MismatchException if ranks have made different calls and no call of this rank was
     *     told; everything is freed all the same
     */
    @Override
    public void close() {
        runtime.close();
    }

    /**
     * Ends the job on all ranks, at once and not in good order: what runs is lost, and every call
     * that waits, here and there, ends with {@link ClosedException} of scope {@link Scope#PROCESS}
     * that names this rank and the reason. Blocks until the others have heard it, at most a second.
     * What is open here is freed by {@link #close()}.
     *
     * @param reason what the others' errors say
     */
    public void abort(String reason) {
        runtime.abort(reason);
    }
}
