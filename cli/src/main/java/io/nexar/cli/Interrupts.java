package io.nexar.cli;

import io.nexar.cli.launch.Job;

/** Lets Ctrl-C, SIGTERM and SIGHUP end a job in good order. */
final class Interrupts {
    private Interrupts() {}

    /**
     * Runs the job to its end. The signals run the JVM's hooks and then set the exit code; nothing
     * else is sure to run then.
     *
     * @param after what is left to do once an interrupted job is over
     */
    static int run(Job job, Runnable after) throws InterruptedException {
        Runnable end =
                () -> {
                    job.interrupt();
                    after.run();
                };
        Runtime.getRuntime().addShutdownHook(new Thread(end, "nexar-interrupt"));
        return job.run();
    }
}
