package io.nexar.security;

import org.jspecify.annotations.Nullable;

import java.net.Socket;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;

import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/**
 * Shows one certificate, always. A key store would want the key written in a form with a password.
 */
final class FixedKeyManager extends X509ExtendedKeyManager {

    private static final String ALIAS = "node";

    private final Credentials credentials;

    FixedKeyManager(Credentials credentials) {
        this.credentials = credentials;
    }

    private @Nullable String aliasFor(@Nullable String... keyTypes) {
        for (String keyType : keyTypes) {
            if (credentials.key().getAlgorithm().equals(keyType)) {
                return ALIAS;
            }
        }
        return null;
    }

    @Override
    public @Nullable String chooseEngineClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return aliasFor(keyTypes);
    }

    @Override
    public @Nullable String chooseEngineServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable SSLEngine engine) {
        return aliasFor(keyType);
    }

    @Override
    public @Nullable String chooseClientAlias(
            String[] keyTypes, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return aliasFor(keyTypes);
    }

    @Override
    public @Nullable String chooseServerAlias(
            String keyType, Principal @Nullable [] issuers, @Nullable Socket socket) {
        return aliasFor(keyType);
    }

    @Override
    public String @Nullable [] getClientAliases(String keyType, Principal @Nullable [] issuers) {
        return aliases(keyType);
    }

    @Override
    public String @Nullable [] getServerAliases(String keyType, Principal @Nullable [] issuers) {
        return aliases(keyType);
    }

    private String @Nullable [] aliases(String keyType) {
        String alias = aliasFor(keyType);
        return alias == null ? null : new String[] {alias};
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(@Nullable String alias) {
        return ALIAS.equals(alias) ? new X509Certificate[] {credentials.certificate()} : null;
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(@Nullable String alias) {
        return ALIAS.equals(alias) ? credentials.key() : null;
    }
}
