package io.nexar.config;

/** Where a value comes from, the strongest first. */
public enum Layer {
    /** A flag on the command line: {@code --a-b-c}, or {@code -Dnexar.a.bC} of the JVM. */
    FLAG("the command line"),
    /** An environment variable. */
    ENVIRONMENT("the environment"),
    /** {@link io.nexar.NexarConfig#with}. */
    CODE("code"),
    /** The properties file that {@code nexar.config} names. */
    FILE("the settings file"),
    /** The option table. */
    DEFAULT("the defaults");

    private final String place;

    Layer(String place) {
        this.place = place;
    }

    /** For messages: where to look. */
    public String place() {
        return place;
    }
}
