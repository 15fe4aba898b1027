package io.nexar.transport;

/**
 * A way to move frames between members, for others to implement: found by {@link
 * java.util.ServiceLoader} and chosen by name ({@code nexar.transport}).
 */
public interface Transport {
    /** Its name in settings and in addresses: lower-case letters and digits. */
    String name();

    /** Opens an endpoint; what is missing here is an exception that says what. */
    Endpoint open(EndpointSettings settings);
}
