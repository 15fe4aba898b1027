package io.nexar.cli.simulate;

import java.util.List;
import java.util.Locale;

/** Times over lengths as an SVG picture: both axes in powers, one line for each name. */
public final class Plot {
    private static final int WIDTH = 860;
    private static final int HEIGHT = 520;
    private static final int LEFT = 90;
    private static final int RIGHT = 660;
    private static final int TOP = 40;
    private static final int BOTTOM = 470;

    /** Apart for eyes that don't tell red from green (M. Okabe, K. Ito, 2008). */
    private static final String[] COLORS = {
        "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"
    };

    private final Curves curves;
    private final StringBuilder svg = new StringBuilder();
    private final double lowest;
    private final double highest;

    /**
     * What is drawn.
     *
     * @param nanos by length and name
     */
    public record Curves(long[] lengths, List<String> names, double[][] nanos) {}

    private Plot(Curves curves) {
        this.curves = curves;
        double low = Double.MAX_VALUE;
        double high = 0;
        for (double[] row : curves.nanos()) {
            for (double nanos : row) {
                low = Math.min(low, nanos);
                high = Math.max(high, nanos);
            }
        }
        // At least a decade, so that one time is a line as well.
        lowest = Math.floor(Math.log10(Math.max(1, low)));
        highest = Math.max(lowest + 1, Math.ceil(Math.log10(Math.max(1, high))));
    }

    public static String svg(Curves curves, String title) {
        return new Plot(curves).draw(title);
    }

    private String draw(String title) {
        add(
                String.format(
                        Locale.ROOT,
                        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\""
                                + " font-family=\"sans-serif\" font-size=\"12\">",
                        WIDTH,
                        HEIGHT));
        add(String.format(Locale.ROOT, "<rect width=\"100%%\" height=\"100%%\" fill=\"white\"/>"));
        add(
                String.format(
                        Locale.ROOT,
                        "<text x=\"%d\" y=\"24\" font-size=\"15\">%s</text>",
                        LEFT,
                        escaped(title)));
        for (int decade = (int) lowest; decade <= highest; decade++) {
            double y = y(Math.pow(10, decade));
            line(LEFT, y, RIGHT, y);
            add(
                    String.format(
                            Locale.ROOT,
                            "<text x=\"%d\" y=\"%.1f\" text-anchor=\"end\">%s</text>",
                            LEFT - 8,
                            y + 4,
                            Units.time(Math.pow(10, decade))));
        }
        int every = Math.ceilDiv(curves.lengths().length, 8);
        for (int row = 0; row < curves.lengths().length; row += every) {
            line(x(row), TOP, x(row), BOTTOM);
            add(
                    String.format(
                            Locale.ROOT,
                            "<text x=\"%.1f\" y=\"%d\" text-anchor=\"middle\">%s</text>",
                            x(row),
                            BOTTOM + 18,
                            Units.bytes(curves.lengths()[row])));
        }
        for (int column = 0; column < curves.names().size(); column++) {
            curve(column);
        }
        return svg.append("</svg>\n").toString();
    }

    private void curve(int column) {
        String color = COLORS[column % COLORS.length];
        StringBuilder points = new StringBuilder();
        for (int row = 0; row < curves.lengths().length; row++) {
            double y = y(curves.nanos()[row][column]);
            points.append(String.format(Locale.ROOT, "%.1f,%.1f ", x(row), y));
        }
        add(
                String.format(
                        Locale.ROOT,
                        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"2\" points=\"%s\"/>",
                        color,
                        points.toString().strip()));
        int y = TOP + 20 * column;
        add(
                String.format(
                        Locale.ROOT,
                        "<rect x=\"%d\" y=\"%d\" width=\"14\" height=\"4\" fill=\"%s\"/>",
                        RIGHT + 12,
                        y,
                        color));
        add(
                String.format(
                        Locale.ROOT,
                        "<text x=\"%d\" y=\"%d\">%s</text>",
                        RIGHT + 32,
                        y + 6,
                        escaped(curves.names().get(column))));
    }

    private void line(double x1, double y1, double x2, double y2) {
        add(
                String.format(
                        Locale.ROOT,
                        "<line x1=\"%.1f\" y1=\"%.1f\" x2=\"%.1f\" y2=\"%.1f\" stroke=\"#ddd\"/>",
                        x1,
                        y1,
                        x2,
                        y2));
    }

    /** Lengths stand at equal distances. */
    private double x(int row) {
        int gaps = Math.max(1, curves.lengths().length - 1);
        return LEFT + (double) (RIGHT - LEFT) * row / gaps;
    }

    private double y(double nanos) {
        double part = (Math.log10(Math.max(1, nanos)) - lowest) / (highest - lowest);
        return BOTTOM - part * (BOTTOM - TOP);
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private void add(String element) {
        svg.append(element).append('\n');
    }
}
