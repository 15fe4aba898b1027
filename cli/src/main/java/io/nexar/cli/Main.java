package io.nexar.cli;

import io.nexar.ConfigurationException;
import io.nexar.cli.launch.LaunchException;

import picocli.CommandLine;
import picocli.CommandLine.Command;

import java.io.PrintWriter;

/**
 * The program {@code nexar}: finds the command, and turns what goes wrong into one line and a code.
 */
@Command(
        name = "nexar",
        description = "Runs programs that work together as ranks.",
        versionProvider = Version.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:all went well",
            "1:the work could not be done; the message says why",
            "2:the command line is wrong; nothing was started"
        })
public final class Main implements Runnable {

    @CommandLine.Spec
    private CommandLine.Model.CommandSpec spec = CommandLine.Model.CommandSpec.create();

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        RunCommand run = new RunCommand();
        CommandLine line = new CommandLine(new Main());
        // A rank's arguments are its own, also when they look like files of more arguments.
        line.setExpandAtFiles(false);
        line.addSubcommand(run.commandLine());
        line.addSubcommand(new SeedCommand());
        line.addSubcommand(new StatusCommand());
        line.addSubcommand(new SimulateCommand());
        line.addSubcommand(new BenchCommand().commandLine());
        line.setExecutionExceptionHandler((e, command, parsed) -> handle(e, command));
        line.setParameterExceptionHandler((e, arguments) -> handleUsage(e));
        return line;
    }

    /** {@code nexar} alone is a question. */
    @Override
    public void run() {
        throw new CommandLine.ParameterException(spec.commandLine(), "a command is missing");
    }

    private static int handleUsage(CommandLine.ParameterException e) {
        CommandLine command = e.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("nexar: " + e.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(e, err);
        err.println("Try '" + command.getCommandSpec().qualifiedName() + " --help'.");
        return ExitCodes.USAGE;
    }

    private static int handle(Exception e, CommandLine command) throws Exception {
        PrintWriter err = command.getErr();
        int exitCode =
                switch (e) {
                    case LaunchException launch -> launch.exitCode();
                    case ConfigurationException wrong -> ExitCodes.USAGE;
                    default -> throw e;
                };
        err.println("nexar: " + e.getMessage());
        return exitCode;
    }
}
