package io.nexar.process;

/** What another rank is in when one ends. */
enum Wait {
    COLLECTIVE("a collective"),
    RECEIVE("a receive from it"),
    CLOSE("`close()`, while an asynchronous collective runs"),
    FORMATION("`Nexar.join()`");

    private final String told;

    Wait(String told) {
        this.told = told;
    }

    String told() {
        return told;
    }
}
