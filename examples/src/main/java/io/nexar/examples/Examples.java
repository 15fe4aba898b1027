package io.nexar.examples;

import java.util.List;
import java.util.Optional;

/** The bundled examples by the names that the command line knows them by. */
public final class Examples {

    /**
     * One example.
     *
     * @param name what a person types
     * @param mainClass the class that each rank runs
     * @param help one line on what it shows
     */
    public record Example(String name, String mainClass, String help) {}

    private static final List<Example> ALL =
            List.of(
                    example("hello", "Hello", "every rank says who it is"),
                    example("allreduce", "AllReduce", "sum an array over all ranks, in place"),
                    example("broadcast", "Broadcast", "rank 0 gives an array to all"),
                    example(
                            "send-receive",
                            "SendReceive",
                            "pass a message around the ring of ranks"),
                    example("local-cluster", "LocalClusterExample", "four ranks inside one JVM"),
                    example(
                            "seed-and-workers",
                            "SeedAndWorkers",
                            "a job by hand, without launcher"),
                    example("pi", "Pi", "estimate pi by random points, shared among the ranks"),
                    example("pagerank", "PageRank", "rank a graph's vertices by their links"),
                    example("sort", "SampleSort", "sort keys that lie on all ranks"),
                    example("heat", "Heat", "let heat flow in a plate that the ranks share"),
                    example("mnist", "mnist.Mnist", "train a digit classifier on all ranks"));

    private Examples() {}

    /** All of them, easiest first. */
    public static List<Example> all() {
        return ALL;
    }

    public static Optional<Example> byName(String name) {
        return ALL.stream().filter(example -> example.name().equals(name)).findFirst();
    }

    private static Example example(String name, String className, String help) {
        return new Example(name, "io.nexar.examples." + className, help);
    }
}
