package io.nexar.house.planted.fabric;

/** Makes a thread by a subclass. */
final class StartsThread extends Thread {
    static Thread another() {
        return new StartsThread();
    }
}
