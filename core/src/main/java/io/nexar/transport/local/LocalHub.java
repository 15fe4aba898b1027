package io.nexar.transport.local;

import io.nexar.MemberId;
import io.nexar.transport.EndpointSettings;
import io.nexar.transport.Transport;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/**
 * Where the members of one cluster inside this JVM find each other. Several hubs know nothing of
 * one another, so that two clusters with the same member ids never meet. Thread-safe.
 */
public final class LocalHub implements Transport {
    static final String NAME = "local";

    private final ConcurrentMap<MemberId, LocalEndpoint> endpoints = new ConcurrentHashMap<>();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public LocalEndpoint open(EndpointSettings settings) {
        LocalEndpoint endpoint = new LocalEndpoint(this, settings);
        if (endpoints.putIfAbsent(settings.self(), endpoint) != null) {
            throw new IllegalStateException(
                    settings.self() + " already has an endpoint on this hub; close it first");
        }
        return endpoint;
    }

    @Nullable LocalEndpoint find(MemberId member) {
        return endpoints.get(member);
    }

    void remove(LocalEndpoint endpoint) {
        endpoints.remove(endpoint.self(), endpoint);
    }
}
