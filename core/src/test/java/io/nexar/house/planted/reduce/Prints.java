package io.nexar.house.planted.reduce;

/** Prints instead of logging. */
final class Prints {
    void hello() {
        System.out.println("hello");
    }
}
