package io.nexar.cli.chaos;

/**
 * What a relay has done so far. Datagrams count where they came in.
 *
 * @param datagrams that came
 * @param lost by chance
 * @param doubled by chance
 * @param delayed by more than nothing
 * @param cut lost because nothing passed just then
 * @param tooLarge lost because of their size
 * @param tooMany lost because the path, or the relay's memory, was full
 * @param undeliverable sent to a socket that takes no more, or is gone
 * @param connections TCP connections
 * @param connectionBytes what passed through them
 */
public record RelayCounters(
        long datagrams,
        long lost,
        long doubled,
        long delayed,
        long cut,
        long tooLarge,
        long tooMany,
        long undeliverable,
        long connections,
        long connectionBytes) {

    @Override
    public String toString() {
        return ("%d datagrams: %d lost, %d doubled, %d delayed, %d cut off, %d too large,"
                        + " %d too many, %d undeliverable; %d connections with %d bytes")
                .formatted(
                        datagrams,
                        lost,
                        doubled,
                        delayed,
                        cut,
                        tooLarge,
                        tooMany,
                        undeliverable,
                        connections,
                        connectionBytes);
    }
}
