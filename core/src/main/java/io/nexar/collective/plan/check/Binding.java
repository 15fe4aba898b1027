package io.nexar.collective.plan.check;

/** What memory a call gives to a plan. A plan must be right with both. */
enum Binding {
    /** INPUT and OUTPUT have nothing in common. */
    SEPARATE,
    /** Where INPUT and OUTPUT hold the same share, they are one memory. */
    IN_PLACE
}
