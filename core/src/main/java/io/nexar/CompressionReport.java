package io.nexar;

/**
 * What a compressed reduction cost and lost, on this rank.
 *
 * @param originalBytes the buffer's size
 * @param sentBytes what this rank's links took of it, in all rounds together: frames with their
 *     headers, without what a transport adds; what other collectives of the same communicator send
 *     meanwhile counts too
 * @param residualNorm the Euclidean norm of what this rank left out and adds to its next call; 0 if
 *     exact
 */
public record CompressionReport(long originalBytes, long sentBytes, double residualNorm) {}
