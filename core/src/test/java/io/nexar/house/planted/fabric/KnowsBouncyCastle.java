package io.nexar.house.planted.fabric;

import org.bouncycastle.jce.provider.BouncyCastleProvider;

/** Knows BouncyCastle outside security. */
final class KnowsBouncyCastle {
    final BouncyCastleProvider provider = new BouncyCastleProvider();
}
