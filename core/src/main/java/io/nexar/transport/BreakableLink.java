package io.nexar.transport;

/**
 * A link over a connection that may break while both members live. Then it keeps what the peer has
 * not handled, so that another link can carry on from there. Called by the thread that polls.
 */
public interface BreakableLink extends Link {
    /**
     * From now on a break is no close: frames stay in {@link #kept} until they are acknowledged or
     * sent again, and memory that was lent stays so; {@link #close} frees both.
     */
    void keepWhenBroken();

    /**
     * Whether the connection is gone though neither member has closed the link or broken a rule.
     * All that had arrived is delivered.
     */
    boolean isBroken();

    /**
     * Takes it for broken: nothing comes or goes any more.
     *
     * @return false if it has ended otherwise before
     */
    boolean breakOff(String reason);

    KeptFrames kept();

    /**
     * Whether some frames have been under way for seconds, and nothing at all has come. Says so
     * once, and again if it lasts that long once more. Whoever polls is woken for it.
     */
    boolean takeSilence();

    /** The peer has handled all that was sent so far: it just has nothing to say. */
    void excuseSilence();
}
