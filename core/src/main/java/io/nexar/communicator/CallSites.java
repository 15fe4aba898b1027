package io.nexar.communicator;

import org.jspecify.annotations.Nullable;

/** Where in the user's program a call was made: the innermost frame that is not Nexar's own. */
final class CallSites {
    private static final String OWN = "io.nexar.";

    /** Programs of ours that use Nexar like any other. */
    private static final String EXAMPLES = "io.nexar.examples.";

    private CallSites() {}

    /** The calling thread's. */
    static @Nullable String here() {
        return StackWalker.getInstance()
                .walk(frames ->
                        frames.map(StackWalker.StackFrame::toStackTraceElement)
                                .filter(CallSites::isOutside)
                                .findFirst()
                                .map(CallSites::spell)
                                .orElse(null));
    }

    /** Another thread's; null if it has ended. */
    static @Nullable String of(Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace()) {
            if (isOutside(frame)) {
                return spell(frame);
            }
        }
        return null;
    }

    private static boolean isOutside(StackTraceElement frame) {
        String name = frame.getClassName();
        return name.startsWith(EXAMPLES)
                || !name.startsWith(OWN) && !name.startsWith("java.") && !name.startsWith("jdk.");
    }

    /** Without the loader's and the module's names, which say nothing of the place. */
    private static String spell(StackTraceElement frame) {
        return "%s.%s(%s:%d)"
                .formatted(
                        frame.getClassName(),
                        frame.getMethodName(),
                        frame.getFileName(),
                        frame.getLineNumber());
    }
}
