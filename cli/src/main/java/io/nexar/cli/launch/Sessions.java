package io.nexar.cli.launch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Puts a command into a session, and so into a process group, of its own. The JDK can't: a helper
 * does it and then becomes the command, so that the process's id is also its group's. A group is
 * what a signal must reach, or a shell's children are missed; and Ctrl-C must reach the launcher
 * alone.
 */
final class Sessions {

    private static final String PERL =
            "use POSIX; POSIX::setsid(); exec {$ARGV[0]} @ARGV; exit 127";

    private final List<String> helper;

    private Sessions(List<String> helper) {
        this.helper = helper;
    }

    /** {@code find} looks a program's name up: setsid is there on Linux, Perl on macOS. */
    static Sessions with(Function<String, Optional<Path>> find) {
        Optional<Path> setsid = find.apply("setsid");
        if (setsid.isPresent()) {
            return new Sessions(List.of(setsid.get().toString()));
        }
        Path perl =
                find.apply("perl")
                        .orElseThrow(() ->
                                new LaunchException(
                                        1,
                                        "needs setsid (of util-linux or busybox) or perl on"
                                                + " the PATH to start processes"));
        return new Sessions(List.of(perl.toString(), "-e", PERL));
    }

    List<String> inOwnSession(List<String> command) {
        List<String> all = new ArrayList<>(helper);
        all.addAll(command);
        return all;
    }
}
