package io.nexar.config;

/**
 * How many characters must be added, dropped or replaced to turn one text into another
 * (Levenshtein), by rows: {@code row[j]} is the distance from the first i characters of the one to
 * the first j of the other.
 */
final class EditDistance {

    private EditDistance() {}

    static int of(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j < row.length; j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j < row.length; j++) {
                int replace = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(replace, 1 + Math.min(row[j], row[j - 1]));
            }
        }
        return row[to.length()];
    }
}
