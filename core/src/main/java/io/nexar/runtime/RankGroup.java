package io.nexar.runtime;

import io.nexar.Communicator;

import java.util.List;

/** The ranks of a cluster in this process, however they are linked. */
interface RankGroup extends AutoCloseable {
    List<Communicator> communicators();

    /** A rank's task threw: the other ranks' calls that need it end with that. */
    void taskFailed(int rank, Throwable failure);

    @Override
    void close();
}
