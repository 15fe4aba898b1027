package io.nexar.collective.plan.cost;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A cost model as a text: a line {@code key = value} for each number, {@code #} begins a comment.
 * What a text does not say is as in {@link CostModel#DEFAULT}.
 */
public final class CostModelText {
    private static final String FREE = "free";
    private static final String CORES = "cores";

    /** Of a cache: nothing has to come from elsewhere. */
    private static final String ENOUGH = "enough";

    private static final String CACHE = "cache";
    private static final String HOST_CACHE = "hostcache";
    private static final List<String> RATES =
            List.of("copy", "reduce", "refill", "claim", "memory");
    private static final Pattern TIME = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?) ?(ns|us|ms|s)");
    private static final Pattern RATE = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?) ?(KB|MB|GB)/s");

    private static final Pattern SIZE = Pattern.compile("(\\d{1,9})KiB");

    /** More cores than any host has. */
    private static final int CORES_MAX = 1 << 16;

    private static final Map<String, Double> NANOS =
            Map.of("ns", 1.0, "us", 1e3, "ms", 1e6, "s", 1e9);

    /** Bytes in a nanosecond. */
    private static final Map<String, Double> BYTES = Map.of("KB", 1e-6, "MB", 1e-3, "GB", 1.0);

    /** Nanoseconds, by key; cores and bytes of cache as they are. */
    private final Map<String, Double> values;

    private CostModelText(CostModel model) {
        values = new LinkedHashMap<>();
        values.put("call", model.work().callNanos());
        values.put("step", model.work().stepNanos());
        values.put("copy", model.work().copyByteNanos());
        values.put("reduce", model.work().reduceByteNanos());
        values.put(CORES, (double) model.host().cores());
        values.put("switch", model.host().switchNanos());
        CacheCost caches = model.host().caches();
        values.put(CACHE, caches.coreBytes());
        values.put("refill", caches.refillByteNanos());
        values.put("claim", caches.claimByteNanos());
        values.put(HOST_CACHE, caches.hostBytes());
        values.put("memory", caches.memoryByteNanos());
        for (LinkClass link : LinkClass.values()) {
            LinkCost cost = model.link(link);
            values.put(link.key() + ".latency", cost.latencyNanos());
            values.put(link.key() + ".message", cost.messageNanos());
            values.put(link.key() + ".byte", cost.byteNanos());
            values.put(link.key() + ".wire", cost.wireByteNanos());
        }
    }

    /**
     * Reads a model.
     *
     * @throws IllegalArgumentException naming the line and the rule that it breaks
     */
    public static CostModel parse(String text) {
        CostModelText model = new CostModelText(CostModel.DEFAULT);
        Map<String, Integer> linesOfKeys = new TreeMap<>();
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            String content = line.replaceFirst("#.*", "").strip();
            if (content.isEmpty()) {
                continue;
            }
            String[] sides = content.split("=", 2);
            if (sides.length < 2) {
                throw wrong(number, content, "a line is 'key = value'");
            }
            String key = sides[0].strip();
            if (!model.values.containsKey(key)) {
                throw wrong(number, key, "a key is one of " + model.values.keySet());
            }
            Integer earlier = linesOfKeys.put(key, number);
            if (earlier != null) {
                throw wrong(number, key, "a key stands once, and this one is on line " + earlier);
            }
            model.values.put(key, value(number, key, sides[1].strip()));
        }
        return model.toModel();
    }

    /** Writes all of a model's numbers; {@link #parse} reads the same model but for rounding. */
    public static String format(CostModel model) {
        StringBuilder text = new StringBuilder();
        new CostModelText(model)
                .values.forEach((key, value) ->
                        text.append(key).append(" = ").append(valueText(key, value)).append('\n'));
        return text.toString();
    }

    private static double value(int line, String key, String text) {
        if (key.equals(CORES)) {
            if (!text.matches("\\d{1,5}") || Integer.parseInt(text) > CORES_MAX) {
                throw wrong(line, text, "cores are a whole number, 0 to " + CORES_MAX);
            }
            return Integer.parseInt(text);
        }
        if (isSize(key)) {
            return sizeBytes(line, key, text);
        }
        if (text.equals(FREE)) {
            return 0;
        }
        boolean isRate = isRate(key);
        Matcher matcher = (isRate ? RATE : TIME).matcher(text);
        if (!matcher.matches()) {
            throw wrong(
                    line,
                    text,
                    isRate
                            ? key + " is a rate such as 1.5GB/s or 80MB/s, or free"
                            : key + " is a time such as 800ns, 2.5us, 1ms, or free");
        }
        double amount = Double.parseDouble(matcher.group(1));
        if (!isRate) {
            return amount * NANOS.getOrDefault(matcher.group(2), 1.0);
        }
        if (amount == 0) {
            throw wrong(line, text, key + " is more than 0; what costs nothing is free");
        }
        return 1 / (amount * BYTES.getOrDefault(matcher.group(2), 1.0));
    }

    private static double sizeBytes(int line, String key, String text) {
        Matcher matcher = SIZE.matcher(text);
        if (text.equals(ENOUGH)) {
            return 0;
        }
        if (!matcher.matches()) {
            throw wrong(line, text, key + " is a size such as 2048KiB, or " + ENOUGH);
        }
        return 1024 * Double.parseDouble(matcher.group(1));
    }

    private static String valueText(String key, double value) {
        if (key.equals(CORES)) {
            return Long.toString(Math.round(value));
        }
        if (isSize(key)) {
            return value == 0 ? ENOUGH : Math.round(value / 1024) + "KiB";
        }
        if (value == 0) {
            return FREE;
        }
        return isRate(key) ? digits(1e3 / value) + "MB/s" : digits(value) + "ns";
    }

    private static boolean isSize(String key) {
        return key.equals(CACHE) || key.equals(HOST_CACHE);
    }

    private static boolean isRate(String key) {
        return RATES.contains(key) || key.endsWith(".byte") || key.endsWith(".wire");
    }

    /** Three digits are more than a measurement gives. */
    private static String digits(double value) {
        return new BigDecimal(value).round(new MathContext(3)).stripTrailingZeros().toPlainString();
    }

    private static IllegalArgumentException wrong(int line, String text, String rule) {
        return new IllegalArgumentException("line %d: '%s': %s".formatted(line, text, rule));
    }

    private CostModel toModel() {
        Map<LinkClass, LinkCost> links = new EnumMap<>(LinkClass.class);
        for (LinkClass link : LinkClass.values()) {
            links.put(
                    link,
                    new LinkCost(
                            value(link.key() + ".latency"),
                            value(link.key() + ".message"),
                            value(link.key() + ".byte"),
                            value(link.key() + ".wire")));
        }
        return new CostModel(
                links,
                new WorkCost(value("call"), value("step"), value("copy"), value("reduce")),
                new HostCost(
                        (int) value(CORES),
                        value("switch"),
                        new CacheCost(
                                value(CACHE),
                                value("refill"),
                                value("claim"),
                                value(HOST_CACHE),
                                value("memory"))));
    }

    private double value(String key) {
        return values.getOrDefault(key, 0.0);
    }
}
