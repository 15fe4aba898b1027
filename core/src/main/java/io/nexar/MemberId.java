package io.nexar;

/**
 * A process's name within its job, for the whole life of the job. A rank is an index within one
 * communicator and may differ between communicators; a member's id is never used again for another.
 *
 * @param id given out by the seed, counting from 0
 */
public record MemberId(long id) {

    @Override
    public String toString() {
        return "member " + id;
    }
}
