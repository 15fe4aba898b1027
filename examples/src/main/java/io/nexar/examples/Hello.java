package io.nexar.examples;

import io.nexar.Communicator;
import io.nexar.Nexar;

/** Every rank says who it is: {@code ./nexar run -n 4 hello}. */
public final class Hello {

    private Hello() {}

    public static void main(String[] args) {
        try (Nexar nexar = Nexar.join()) {
            System.out.println(greeting(nexar.world()));
        }
    }

    static String greeting(Communicator world) {
        // Nobody goes before all have come.
        world.barrier();
        return "hello from rank " + world.rank() + " of " + world.size();
    }
}
