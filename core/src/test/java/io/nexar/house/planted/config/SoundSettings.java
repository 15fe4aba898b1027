package io.nexar.house.planted.config;

/** Sound: the settings' edge may read the environment. */
public final class SoundSettings {
    private SoundSettings() {}

    public static String home() {
        return String.valueOf(System.getenv("HOME"));
    }
}
