package io.nexar;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * An ordered set of ranks with a message space of its own: what is sent on one communicator is
 * never received on another. {@code size} is its number of ranks, {@code rank} runs from 0 to
 * {@code size - 1}.
 *
 * <p>The package page says once what holds for every method here: <a
 * href="package-summary.html#shapes">shapes</a> and what may lie in place, <a
 * href="package-summary.html#threads">threads</a>, <a
 * href="package-summary.html#waiting">waiting</a> and deadlines, and what is left <a
 * href="package-summary.html#errors">after an error</a>. In short: counts are elements; every
 * method that moves data blocks until this rank's part is over, at most until the deadline; bad
 * arguments are an {@link IllegalArgumentException} before a byte is sent; a collective is called
 * by all ranks in the same order, from one thread at a time; messages and {@link #rpc()} are free
 * for all threads.
 */
public interface Communicator extends AutoCloseable {

    /** As a source: whoever sends. */
    int ANY_SOURCE = -1;

    /** As a tag of a receive: whatever label. Legal tags are 0 to {@link Integer#MAX_VALUE}. */
    int ANY_TAG = -1;

    // ---- Who is here. None of these blocks; they work on a closed communicator as well.

    /** What errors call this communicator: {@code world}, or the path of splits that made it. */
    String name();

    /** This process's rank here. */
    int rank();

    /** How many ranks there are. */
    int size();

    /** The member of the job that has that rank. */
    MemberId member(int rank);

    /** The generation of the membership that this communicator was made in; never changes. */
    long epoch();

    // ---- Collectives: all ranks call them, in the same order.

    /** Returns when all ranks have called it. */
    void barrier();

    /**
     * Copies the root's buffer to all ranks. The same count and type on all ranks.
     *
     * @param buffer read on the root, written on the others
     */
    void broadcast(DataBuffer buffer, int root);

    /**
     * Combines the send buffers of all ranks, element by element, into the root's receive buffer.
     * The same count on all ranks; send buffers are left as they are, also on ranks other than the
     * root.
     *
     * @param receive {@code send.count()} elements on the root, may be {@code send} itself; not
     *     looked at elsewhere
     */
    void reduce(DataBuffer send, @Nullable DataBuffer receive, ReduceOp op, int root);

    /**
     * Combines the buffers of all ranks, element by element, in place. The same count on all ranks.
     */
    void allReduce(DataBuffer buffer, ReduceOp op);

    /**
     * Combines the send buffers of all ranks, element by element, into every rank's receive buffer.
     *
     * @param receive {@code send.count()} elements; may be {@code send} itself
     */
    void allReduce(DataBuffer send, DataBuffer receive, ReduceOp op);

    /**
     * {@link #allReduce(DataBuffer, ReduceOp)} of several buffers as one operation: faster than one
     * after the other. All of one type, none overlapping another, the same counts on all ranks; an
     * empty list returns at once and counts as no call.
     */
    void allReduce(List<DataBuffer> buffers, ReduceOp op);

    /**
     * Collects the same count of every rank on the root, in rank order.
     *
     * @param receive {@code size * send.count()} elements on the root; not looked at elsewhere
     */
    void gather(DataBuffer send, @Nullable DataBuffer receive, int root);

    /**
     * Collects a different count of every rank on the root, in rank order.
     *
     * @param receive the sum of the counts on the root; not looked at elsewhere
     * @param counts how many elements each rank sends, by rank; looked at on the root only, where
     *     {@code counts[r]} must be rank r's {@code send.count()}
     */
    void gather(DataBuffer send, @Nullable DataBuffer receive, long[] counts, int root);

    /**
     * Hands each rank the same count out of the root's buffer, in rank order.
     *
     * @param send {@code size * receive.count()} elements on the root; not looked at elsewhere
     */
    void scatter(@Nullable DataBuffer send, DataBuffer receive, int root);

    /**
     * Hands each rank a different count out of the root's buffer, in rank order.
     *
     * @param send the sum of the counts on the root; not looked at elsewhere
     * @param counts how many elements each rank gets, by rank; looked at on the root only, where
     *     {@code counts[r]} must be rank r's {@code receive.count()}
     */
    void scatter(@Nullable DataBuffer send, long[] counts, DataBuffer receive, int root);

    /**
     * Collects the same count of every rank on all ranks, in rank order.
     *
     * @param receive {@code size * send.count()} elements
     */
    void allGather(DataBuffer send, DataBuffer receive);

    /**
     * Collects a different count of every rank on all ranks, in rank order.
     *
     * @param receive the sum of the counts
     * @param counts how many elements each rank sends, by rank; the same array on all ranks
     */
    void allGather(DataBuffer send, DataBuffer receive, long[] counts);

    /**
     * Collects in place: before, rank r's share lies at {@code Partition(buffer.count(), size)}'s
     * part r; after, everybody has all shares. The same count on all ranks.
     */
    void allGather(DataBuffer buffer);

    /**
     * Combines the send buffers of all ranks and gives rank r the part r of the result. The same
     * {@code send.count()} on all ranks.
     *
     * @param receive the count of this rank's part of {@code Partition(send.count(), size)}; by
     *     whole items
     */
    void reduceScatter(DataBuffer send, DataBuffer receive, ReduceOp op);

    /**
     * The same with shares of the caller's choice.
     *
     * @param send the sum of the counts
     * @param receive {@code counts[rank]} elements
     * @param counts how many elements each rank gets, by rank, whole items; the same array on all
     *     ranks
     */
    void reduceScatter(DataBuffer send, DataBuffer receive, long[] counts, ReduceOp op);

    /**
     * The same in place. Outside of the returned view the buffer's content is undefined afterwards.
     *
     * @return the view of this rank's part, finished: part r of {@code Partition(buffer.count(),
     *     size)}
     */
    DataBuffer reduceScatter(DataBuffer buffer, ReduceOp op);

    /**
     * Sends the r-th of {@code size} equal parts to rank r, and receives rank r's as the r-th part.
     *
     * @param send {@code size} times the count for one rank, which is the same on all ranks
     * @param receive {@code send.count()} elements; may be {@code send} itself
     */
    void allToAll(DataBuffer send, DataBuffer receive);

    /**
     * The same with parts of different sizes, one after the other in rank order.
     *
     * @param sendCounts how many elements go to each rank; their sum is {@code send.count()}
     * @param receiveCounts how many come from each rank; their sum is {@code receive.count()}. What
     *     one rank sends and the other expects must agree, else {@link MismatchException}
     */
    void allToAll(DataBuffer send, long[] sendCounts, DataBuffer receive, long[] receiveCounts);

    /**
     * Combines the send buffers of rank 0 to this rank, this one included. {@link ReduceOp#AVG} is
     * refused.
     *
     * @param receive {@code send.count()} elements; may be {@code send} itself
     */
    void scan(DataBuffer send, DataBuffer receive, ReduceOp op);

    /**
     * Combines the send buffers of rank 0 to the rank before this one; rank 0 gets the operation's
     * identity. {@link ReduceOp#AVG} is refused, and so is a user's operation without {@link
     * ReduceOp#withIdentity}.
     *
     * @param receive {@code send.count()} elements; may be {@code send} itself
     */
    void exclusiveScan(DataBuffer send, DataBuffer receive, ReduceOp op);

    /**
     * Exchanges equal parts with this rank's neighbours. Collective: all ranks call it, also one
     * without neighbours; a rank waits for its neighbours only. A part whose place in the
     * neighbourhood is empty is neither sent nor written. What two neighbours do not agree on (an
     * edge, a count, a type) is a {@link MismatchException} on both, and so is another grid.
     *
     * @param send one part for each of {@link Neighborhood#destinations}, in that order; the same
     *     count for each part on all ranks
     * @param receive one part of the same count for each of {@link Neighborhood#sources}; apart
     *     from {@code send}
     */
    void neighborExchange(DataBuffer send, DataBuffer receive, Neighborhood neighborhood);

    /**
     * The same with a buffer for each neighbour, of any count and from any place: what one rank
     * sends and the other expects must agree, else {@link MismatchException}. All of one type. The
     * buffer of an empty place may be any. Two send buffers may be the same memory.
     */
    void neighborExchange(
            List<DataBuffer> send, List<DataBuffer> receive, Neighborhood neighborhood);

    /**
     * {@link #allReduce(DataBuffer, ReduceOp)} of a compressed form: not exact, far fewer bytes.
     * All ranks end with the same bits: each gets the compressed form of all, and adds them up in
     * rank order. Blocks until this rank has the result. On failure buffer and state are as before
     * the call. Ranks that compress in different ways get a {@link MismatchException}; bytes that
     * are not what the compressor writes end in a {@link ProtocolException} on all ranks.
     *
     * <p>Other types than F32 are rounded to it before and from it after. Values that are NaN or
     * infinite are an {@link IllegalArgumentException} before anything is sent, as they would stay
     * in what is left out for ever; only {@link CompressionState#none} takes them.
     *
     * @param buffer {@code F32}, {@code F64}, {@code F16} or {@code BF16}; the same count on all
     *     ranks
     * @param op {@link ReduceOp#SUM} or {@link ReduceOp#AVG}
     * @param state the method, and what earlier calls left out; one for each buffer that is reduced
     *     again and again
     */
    CompressionReport allReduceCompressed(DataBuffer buffer, ReduceOp op, CompressionState state);

    // ---- Messages between two ranks. Those of one pair and tag arrive in the order sent.

    /**
     * Sends a message. Returns when the buffer may be written again: a small message without its
     * receive while credit lasts (at least 1,000 unreceived messages of 8 bytes a pair), a large
     * one when the receive is posted. Two large sends head to head end with {@link
     * DeadlineException}: use {@link #sendReceive} or {@link #async()}.
     *
     * @param dest the receiving rank; may be this rank
     * @param tag 0 or more
     */
    void send(DataBuffer buffer, int dest, int tag);

    /** Sends one message out of several places: their bytes, one after the other. */
    void send(List<DataBuffer> buffers, int dest, int tag);

    /**
     * Receives the first message that matches. A longer message than the buffer is consumed, with
     * {@link TruncationException}; of a shorter one the status tells the size, and the rest of the
     * buffer is left as it is. After a {@link DeadlineException} nothing was consumed.
     *
     * @param source the sending rank, or {@link #ANY_SOURCE}
     * @param tag 0 or more, or {@link #ANY_TAG}
     */
    Status receive(DataBuffer buffer, int source, int tag);

    /** Receives one message into several places, filling one after the other. */
    Status receive(List<DataBuffer> buffers, int source, int tag);

    /** Sends and receives at once, so that two ranks may call it head to head with any size. */
    Status sendReceive(
            DataBuffer send, int dest, int sendTag, DataBuffer receive, int source, int receiveTag);

    /** Waits for a message that matches and leaves it there. */
    Status probe(int source, int tag);

    /** A message that matches and is there now, left there. Does not block. */
    Optional<Status> tryProbe(int source, int tag);

    /** Waits for a message that matches and takes it out of matching: no other receive gets it. */
    IncomingMessage match(int source, int tag);

    /** A message that matches and is there now, taken out of matching. Does not block. */
    Optional<IncomingMessage> tryMatch(int source, int tag);

    // ---- Objects, through the configured Serializer: records by default.

    /** {@link #send(DataBuffer, int, int)} of an object. */
    <T> void sendObject(T value, int dest, int tag);

    /**
     * Receives what {@link #sendObject} sent. What is no {@code type}, or longer than {@code
     * nexar.object.bytesMax}, is a {@link ProtocolException}; it is consumed.
     */
    <T> T receiveObject(Class<T> type, int source, int tag);

    /**
     * Gives the root's object to all ranks.
     *
     * @param value not looked at on ranks other than the root, which gets it back
     */
    <T> T broadcastObject(@Nullable T value, Class<T> type, int root);

    /** Collects an object of each rank on the root, by rank; the other ranks get an empty list. */
    <T> List<T> gatherObjects(T value, Class<T> type, int root);

    /** Collects an object of each rank on all ranks, by rank. */
    <T> List<T> allGatherObjects(T value, Class<T> type);

    // ---- Views and children.

    /** The same operations, each returning a {@link Request} at once. */
    AsyncCommunicator async();

    /** The same collectives, each bound once to be started many times. */
    PreparingCommunicator prepare();

    /**
     * Makes a communicator for each colour. Collective. The child inherits this view's timeout and
     * algorithm, and outlives its parent. Its name is {@code world.split(1)[2]}: the second child
     * of world, colour 2.
     *
     * @param color who belongs together; a negative one joins none
     * @param key the order of the ranks in the child; equal keys keep the order of this
     *     communicator
     * @return the child, or nothing for a negative colour
     */
    Optional<Communicator> split(int color, int key);

    /** {@link #split} by host, in the order of this communicator. Collective. */
    Communicator splitByHost();

    /** A communicator of the same ranks with a message space of its own. Collective. */
    Communicator duplicate();

    /**
     * A view with another deadline for each of its calls, {@code nexar.timeout.operation}
     * otherwise. Closing a view closes the communicator. Does not block.
     *
     * @param timeout more than zero
     */
    Communicator withTimeout(Duration timeout);

    /**
     * A view whose collectives use that algorithm. Closing a view closes the communicator. Does not
     * block.
     */
    Communicator withAlgorithm(Algorithm algorithm);

    // ---- Service and recovery.

    /** Remote calls between these ranks. */
    Rpc rpc();

    /**
     * Breaks this communicator on all ranks: whoever waits on it gets an error. Local call, does
     * not wait.
     */
    void revoke();

    /**
     * Reaches one answer among the ranks that live, in spite of further deaths: the bitwise and of
     * their values. Collective; works on a broken or revoked communicator.
     */
    long agree(long value);

    /** Makes a communicator of the ranks that live, in their old order. Collective among them. */
    Communicator shrink();

    /**
     * Local: frees what this rank holds. What runs here ends with {@link ClosedException}; a member
     * that still communicates on it gets {@link PeerLeftException}, once it has taken in what was
     * sent before. A second call does nothing.
     *
     * @throws MismatchException if ranks have made different calls here and no call of this rank
     *     was told; it is freed all the same
     */
    @Override
    void close();
}
