package io.nexar;

/**
 * What has arrived, or is about to.
 *
 * @param source the rank that sent it, in the communicator it was received on
 * @param tag its label
 * @param bytes the message's size in bytes
 */
public record Status(int source, int tag, long bytes) {

    /**
     * The message's size in elements of that type.
     *
     * @throws IllegalArgumentException if the size is no whole number of elements
     */
    public long count(DataType type) {
        if (bytes % type.bytes() != 0) {
            throw new IllegalArgumentException(
                    bytes + " bytes: no whole number of " + type + " (" + type.bytes() + " bytes)");
        }
        return bytes / type.bytes();
    }
}
