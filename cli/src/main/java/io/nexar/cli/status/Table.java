package io.nexar.cli.status;

import java.util.ArrayList;
import java.util.List;

/**
 * Columns of text. What others wrote stands in it, so characters that would end a line or move a
 * terminal's cursor are replaced.
 */
public final class Table {

    private final List<List<String>> rows = new ArrayList<>();

    public Table(String... header) {
        rows.add(List.of(header));
    }

    public void add(String... cells) {
        List<String> clean = new ArrayList<>();
        for (String cell : cells) {
            clean.add(clean(cell));
        }
        rows.add(clean);
    }

    boolean isEmpty() {
        return rows.size() == 1;
    }

    public List<String> lines() {
        List<Integer> widths = new ArrayList<>();
        for (int column = 0; column < rows.getFirst().size(); column++) {
            int width = 0;
            for (List<String> row : rows) {
                width = Math.max(width, length(row.get(column)));
            }
            widths.add(width);
        }
        return rows.stream().map(row -> line(row, widths)).toList();
    }

    private static String line(List<String> row, List<Integer> widths) {
        StringBuilder line = new StringBuilder();
        for (int column = 0; column < row.size(); column++) {
            String cell = row.get(column);
            line.append(cell).repeat(' ', widths.get(column) - length(cell) + 2);
        }
        return line.toString().stripTrailing();
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }

    static String clean(String text) {
        StringBuilder clean = new StringBuilder();
        text.codePoints()
                .map(c -> Character.isISOControl(c) || isFormat(c) ? ' ' : c)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }

    /** Such as those that turn the direction of what follows. */
    private static boolean isFormat(int codePoint) {
        int type = Character.getType(codePoint);
        return type == Character.FORMAT
                || type == Character.LINE_SEPARATOR
                || type == Character.PARAGRAPH_SEPARATOR
                || type == Character.SURROGATE;
    }
}
