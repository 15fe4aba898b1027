package io.nexar.cli.chaos;

/** The network between a place and all who dial it, as it is at one moment. */
public record Conditions(Faults inward, Faults outward) {

    public static final Conditions GOOD = both(Faults.NONE);

    public static Conditions both(Faults faults) {
        return new Conditions(faults, faults);
    }
}
