package io.nexar.cli;

import io.nexar.security.JoinString;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The join file of a job that the launcher runs: for its owner only, and gone when the job is.
 *
 * @param path null for none
 */
record JoinFile(@Nullable Path path) implements AutoCloseable {

    /**
     * Writes it.
     *
     * @throws io.nexar.ConfigurationException if it can't be written
     */
    static JoinFile write(@Nullable Path path, JoinString joinString) {
        if (path != null) {
            joinString.writeTo(path);
        }
        return new JoinFile(path);
    }

    /** Deletes it; a second time does nothing. */
    @Override
    public void close() {
        if (path != null) {
            try {
                Files.deleteIfExists(path);
            } catch (IOException e) {
                System.getLogger("io.nexar")
                        .log(System.Logger.Level.WARNING, "can't delete the join file " + path, e);
            }
        }
    }
}
