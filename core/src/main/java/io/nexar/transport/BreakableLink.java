package io.nexar.transport;

/**
 * A link over a connection that may break while both members live. Then it keeps what the peer has
 * not handled, and knows what this side has, so that another link can carry on from there. Called
 * by the thread that polls.
 */
public interface BreakableLink extends Link {
    /**
     * From now on a break is no close: what is kept is freed by {@link #acknowledge}, {@link
     * #resend} and {@link #close}, and memory that was lent stays so until then.
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

    /** How many frames of that lane were handled here, as 32 bits count: final once broken. */
    int handled(Lane lane);

    /**
     * The peer has handled so many frames of that lane of the broken link: they are freed.
     *
     * @return how many senders were told
     * @throws io.nexar.ProtocolException if that can't be
     */
    int acknowledge(Lane lane, int handled);

    /** Whether a frame of that lane is kept. */
    boolean isKeeping(Lane lane);

    /**
     * Offers the oldest frame that is kept of a lane to another link, and frees it unless that
     * refuses it. If the other link takes it as pending, it tells the frame's sender itself.
     */
    SendResult resend(Lane lane, Link to);
}
