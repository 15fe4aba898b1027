package io.nexar;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The ports that a process may listen on.
 *
 * @param first the lowest
 * @param last the highest, {@code first} or more
 */
public record PortRange(int first, int last) {

    /** The highest port there is: ports are 16 bits. */
    private static final int PORT_MAX = 65_535;

    /** Whatever the system gives. */
    public static final PortRange EPHEMERAL = new PortRange(0, 0);

    private static final Pattern FORM = Pattern.compile("([0-9]{1,5})-([0-9]{1,5})");

    public PortRange {
        boolean ephemeral = first == 0 && last == 0;
        if (!ephemeral && (first < 1 || last < first || last > PORT_MAX)) {
            throw new IllegalArgumentException(
                    "a range of ports, for example 40000-40100, within 1 to "
                            + PORT_MAX
                            + ", or ephemeral");
        }
    }

    /**
     * Reads {@code 40000-40100} or {@code ephemeral}.
     *
     * @throws IllegalArgumentException if it is neither, with the rule as its message
     */
    public static PortRange parse(String text) {
        if (text.equals("ephemeral")) {
            return EPHEMERAL;
        }
        Matcher matcher = FORM.matcher(text);
        boolean isRange = matcher.matches();
        int first = isRange ? Integer.parseInt(matcher.group(1)) : -1;
        int last = isRange ? Integer.parseInt(matcher.group(2)) : -1;
        return first == 0 ? new PortRange(-1, -1) : new PortRange(first, last);
    }

    /** Whether the system chooses. */
    public boolean isEphemeral() {
        return last == 0;
    }
}
