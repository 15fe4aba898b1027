package io.nexar.transport.shm;

/** Shared memory that the system does not give, or that is not what it should be. */
final class ShmException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ShmException(String problem) {
        super(problem);
    }

    ShmException(String problem, Throwable cause) {
        super(problem, cause);
    }
}
