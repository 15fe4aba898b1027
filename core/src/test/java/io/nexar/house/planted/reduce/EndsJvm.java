package io.nexar.house.planted.reduce;

/** Ends a JVM that is not its own. */
final class EndsJvm {
    void end() {
        System.exit(1);
    }
}
