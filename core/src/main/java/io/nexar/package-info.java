/**
 * The contract that programs compile against: communicators, buffers, types, operations, errors and
 * settings as values. It must not know how anything is done; only the entry classes {@code Nexar}
 * and {@code LocalCluster} reach the runtime, and {@code NexarConfig} the option table.
 *
 * <p>Start at {@link io.nexar.Nexar} (a process in a job) or {@link io.nexar.LocalCluster} (several
 * ranks in this JVM); the operations are those of {@link io.nexar.Communicator}. What follows holds
 * for all of them.
 *
 * <h2 id="shapes">Shapes</h2>
 *
 * <p>Counts, offsets and sizes are {@code long}; counts are elements of the buffer's type; ranks
 * and tags are {@code int}. {@code size} is the communicator's number of ranks. Send and receive
 * buffers of one call have one type, and all ranks of a collective the same one. The plain forms of
 * gather, scatter, allGather and allToAll want the same count on all ranks and exact sizes: {@code
 * receive.count() == size * send.count()} where one rank receives from all. {@code
 * reduceScatter(send, receive, op)} and the forms with one buffer share by {@link
 * io.nexar.Partition}: {@code count / size} elements each, the first {@code count % size} ranks one
 * more; with an operation over items, whole items are shared. A count of 0, a world of one rank,
 * and zero entries in counts are ordinary inputs.
 *
 * <p><b>In place</b> means the same memory twice: for allReduce, reduce on the root, the scans and
 * allToAll. In gather, scatter, allGather and reduceScatter a rank's own share may already lie at
 * its place: the one buffer is exactly that slice of the other. Every other overlap of buffers of
 * one call is refused.
 *
 * <p>Every rank ends with the same bits. With {@code nexar.deterministic} it ends with the same
 * bits on every run.
 *
 * <h2 id="threads">Threads</h2>
 *
 * <p>{@link io.nexar.Nexar}, {@link io.nexar.DataBuffer}, {@link io.nexar.NexarConfig} and {@link
 * io.nexar.ReduceOp} are thread-safe. Messages and remote calls may be made from any number of
 * threads. Collectives of one communicator start from one thread at a time, in the same order on
 * all ranks; this holds for {@code async()} and what was {@code prepare()}d as well. An overlap
 * that is noticed is an {@link IllegalStateException}. To run collectives from several threads,
 * give each a {@link io.nexar.Communicator#duplicate()}.
 *
 * <h2 id="waiting">Waiting</h2>
 *
 * <p>Every wait has a deadline, that of {@link io.nexar.Communicator#withTimeout}, else {@code
 * nexar.timeout.operation}; when it is over, the wait ends with {@link io.nexar.DeadlineException}.
 * A wait of more than {@code nexar.stall.reportAfter} is told once in the log. Messages of one pair
 * and tag arrive in the order sent. Behind a flood that is held back, a later tag of the same pair
 * and communicator may wait too; collectives on it, and other communicators, go on.
 *
 * <h2 id="errors">Errors</h2>
 *
 * <p>Mistakes of the caller are {@link IllegalArgumentException} before a byte is sent: a root or
 * rank outside the communicator, a buffer of the wrong size, type or memory, an operation that the
 * type does not have, counts that don't add up; nothing else is harmed. What can go wrong in a
 * correct program is a {@link io.nexar.NexarException}, whose {@code scope()} says what is still
 * usable.
 *
 * <p>After an error of a collective, the content of its receive buffer is undefined, a separate
 * send buffer is unchanged, and the communicator is broken on every rank: every further call gives
 * the first reason again, but {@code close()}, {@code shrink()}, {@code revoke()} and {@code
 * agree()} work. Other communicators are untouched. After a timed-out receive or remote call
 * nothing was consumed and the communicator stays usable. An interrupted wait sets the thread's
 * flag again and ends with {@link io.nexar.InterruptedOperationException}; if it was a
 * collective's, its communicator is broken.
 */
@NullMarked
package io.nexar;

import org.jspecify.annotations.NullMarked;
