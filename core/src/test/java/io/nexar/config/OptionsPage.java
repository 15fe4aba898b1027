package io.nexar.config;

/** Writes the option table as a page of the documentation. */
final class OptionsPage {

    private static final String HEAD =
            """
            # Options

            <!-- Generated from the option table: OptionsPageTest, -Dnexar.docs.write=true. -->

            The strongest place that gives a value counts: a flag, the environment, code
            (`NexarConfig.with`), the properties file that `nexar.config` names, the default. In
            the environment `nexar.a.bC` is `NEXAR_A_B_C`; as a flag of Nexar's commands it is
            `--a-b-c`, and as a flag of the JVM `-Dnexar.a.bC=...`. An unknown name is an error
            that names the nearest one.

            Durations are written `500ms`, `10s`, `5m`, `1h`; sizes in bytes or as `64KiB`,
            `1MiB`, `2GiB`. Options of the scope *job* must mean the same on all processes, and
            are compared when these meet; those of the scope *process* are each process's own.
            Secrets are never printed.
            """;

    private OptionsPage() {}

    static String render() {
        StringBuilder page = new StringBuilder(HEAD);
        for (Option option : Options.all()) {
            page.append("\n## `").append(option.key()).append("`\n\n").append(option.doc());
            page.append("\n\n* value: ").append(option.kind().describe());
            page.append("\n* default: ")
                    .append(
                            option.defaultText().isEmpty()
                                    ? "not set"
                                    : "`" + option.defaultText() + "`");
            page.append("\n* scope: ")
                    .append(option.scope() == OptionScope.JOB ? "job" : "process");
            page.append("\n* also: `").append(option.variable()).append("`, `");
            page.append(option.flag()).append("`\n");
            if (option.secret()) {
                page.append("* secret\n");
            }
        }
        return page.toString();
    }
}
