package io.nexar.cli;

import io.nexar.ConfigurationException;
import io.nexar.NexarConfig;
import io.nexar.config.Options;

import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.ISetter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Settings of the library on the command line: {@code --set nexar.a.bC=VALUE}, and a flag {@code
 * --a-b-c} for each row of the option table. They are checked here and travel to the ranks in the
 * environment.
 */
final class JobSettings {

    /** What the launcher itself tells each rank. */
    private static final Set<String> LAUNCHERS_OWN =
            Set.of("nexar.seed", "nexar.rank", "nexar.worldSize", "nexar.token");

    private static final String TRANSPORT = "nexar.transport";

    /** Shown in the help; the others are as many as the table has rows. */
    private static final Set<String> SHOWN = Set.of(TRANSPORT);

    private final Map<String, String> values = new LinkedHashMap<>();

    @Option(
            names = "--set",
            paramLabel = "KEY=VALUE",
            description = {
                "a setting for all ranks, such as nexar.timeout.operation=10s",
                "(each nexar.a.bC is also a flag --a-b-c; docs/options.md lists them)"
            })
    void set(Map<String, String> settings) {
        settings.forEach(this::put);
    }

    /** Adds the option table's flags to a command that has these settings. */
    void addFlags(CommandSpec command) {
        for (io.nexar.config.Option option : Options.all()) {
            if (!LAUNCHERS_OWN.contains(option.key())) {
                command.addOption(
                        OptionSpec.builder(option.flag())
                                .paramLabel("VALUE")
                                .type(String.class)
                                .hidden(!SHOWN.contains(option.key()))
                                .description(option.doc())
                                .setter(setter(option.key()))
                                .build());
            }
        }
    }

    private ISetter setter(String key) {
        return new ISetter() {
            @Override
            @SuppressWarnings("TypeParameterUnusedInFormals")
            public <T> T set(T value) {
                if (value != null) {
                    put(key, value.toString());
                }
                return value;
            }
        };
    }

    private void put(String key, String value) {
        values.put(key, value);
    }

    /** These and more, which count more. */
    JobSettings with(Map<String, String> more) {
        JobSettings all = new JobSettings();
        values.forEach(all::put);
        more.forEach(all::put);
        return all;
    }

    /** This process's settings with those of the command line. */
    NexarConfig config() {
        NexarConfig config = NexarConfig.fromEnvironment();
        for (Map.Entry<String, String> each : values.entrySet()) {
            config = config.withFlag(Options.byKey(each.getKey(), "--set").flag(), each.getValue());
        }
        return config;
    }

    /** Refuses what the library refuses, before anything is started. */
    void check(CommandLine command) {
        for (String key : values.keySet()) {
            if (LAUNCHERS_OWN.contains(key)) {
                throw new ParameterException(
                        command, "--set %s: the launcher gives this to each rank".formatted(key));
            }
        }
        try {
            config();
        } catch (ConfigurationException e) {
            throw new ParameterException(command, e.getMessage(), e);
        }
    }

    /**
     * Chooses QUIC, for a flag that changes nothing for other transports; refuses another choice of
     * the user's.
     */
    void chooseQuic(CommandLine command, String flag) {
        String transport = config().get(TRANSPORT);
        if (transport.equals("auto")) {
            put(TRANSPORT, "quic");
        } else if (!transport.equals("quic")) {
            throw new ParameterException(
                    command,
                    "%s acts on quic alone, and %s=%s".formatted(flag, TRANSPORT, transport));
        }
    }

    /** What each rank finds in its environment besides its number. */
    Map<String, String> environment() {
        Map<String, String> environment = new LinkedHashMap<>();
        values.forEach(
                (key, value) -> environment.put(Options.byKey(key, "--set").variable(), value));
        return environment;
    }
}
