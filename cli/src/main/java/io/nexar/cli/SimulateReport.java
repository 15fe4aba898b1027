package io.nexar.cli;

import io.nexar.cli.simulate.Forecast;
import io.nexar.cli.simulate.Outlook;
import io.nexar.cli.simulate.Units;
import io.nexar.cli.status.Table;
import io.nexar.collective.plan.Operation;
import io.nexar.collective.plan.Placement;
import io.nexar.collective.plan.cost.Traffic;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What {@code nexar simulate} prints: a table for people, one object for programs. */
record SimulateReport(Operation operation, Forecast.Setting setting, Outlook outlook) {
    String title() {
        Placement placement = setting.topology().placement();
        return "%s on %d ranks, %d %s"
                .formatted(
                        operation.methodName(),
                        placement.size(),
                        placement.hosts(),
                        placement.hosts() == 1 ? "host" : "hosts");
    }

    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(title());
        lines.add("");
        lines.addAll(times());
        lines.add("");
        for (Outlook.Threshold threshold : outlook.thresholds()) {
            lines.add(
                    "from %s: %s".formatted(Units.bytes(threshold.bytes()), threshold.algorithm()));
        }
        lines.add("");
        lines.addAll(traffic());
        return lines;
    }

    private List<String> times() {
        List<String> header = new ArrayList<>(List.of("BYTES"));
        outlook.forecasts().forEach(forecast -> header.add(forecast.algorithm().name()));
        Table table = new Table(header.toArray(String[]::new));
        for (int row = 0; row < outlook.lengths().length; row++) {
            List<String> cells = new ArrayList<>(List.of(Units.bytes(outlook.lengths()[row])));
            for (int column = 0; column < outlook.forecasts().size(); column++) {
                cells.add(
                        Units.time(outlook.nanos()[row][column])
                                + (column == outlook.fastest(row) ? " *" : ""));
            }
            table.add(cells.toArray(String[]::new));
        }
        return table.lines();
    }

    private List<String> traffic() {
        Table table =
                new Table("ALGORITHM", "ROUNDS", "MESSAGES", "VECTORS SENT", "OFF HOST", "HOW");
        for (Forecast forecast : outlook.forecasts()) {
            Traffic traffic = forecast.traffic();
            table.add(
                    forecast.algorithm().name(),
                    String.valueOf(traffic.rounds()),
                    String.valueOf(traffic.messages()),
                    digits(traffic.vectors()),
                    digits(traffic.vectorsOffHost()),
                    how(forecast));
        }
        return table.lines();
    }

    private static String digits(double value) {
        return String.format(Locale.ROOT, "%.4g", value);
    }

    private static String how(Forecast forecast) {
        return forecast.isSimulated() ? "simulated" : "estimated";
    }

    Map<String, Object> facts() {
        Placement placement = setting.topology().placement();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("operation", operation.methodName());
        facts.put("ranks", placement.size());
        facts.put("hosts", placement.hosts());
        facts.put("pieceBytes", setting.slicing().pieceBytes());
        facts.put("piecesInFlight", setting.slicing().inFlight());
        facts.put("algorithms", outlook.forecasts().stream().map(this::algorithm).toList());
        facts.put(
                "thresholds",
                outlook.thresholds().stream()
                        .map(threshold ->
                                Map.of(
                                        "bytes",
                                        threshold.bytes(),
                                        "algorithm",
                                        threshold.algorithm().name()))
                        .toList());
        return facts;
    }

    private Map<String, Object> algorithm(Forecast forecast) {
        int column = outlook.forecasts().indexOf(forecast);
        Traffic traffic = forecast.traffic();
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("algorithm", forecast.algorithm().name());
        facts.put("how", how(forecast));
        facts.put("rounds", traffic.rounds());
        facts.put("messages", traffic.messages());
        List<Map<String, Object>> calls = new ArrayList<>();
        for (int row = 0; row < outlook.lengths().length; row++) {
            long bytes = outlook.lengths()[row];
            Map<String, Object> call = new LinkedHashMap<>();
            call.put("bytes", bytes);
            call.put("nanos", Math.round(outlook.nanos()[row][column]));
            call.put("bytesSent", Math.round(traffic.vectors() * bytes));
            call.put("bytesOffHost", Math.round(traffic.vectorsOffHost() * bytes));
            calls.add(call);
        }
        facts.put("calls", calls);
        return facts;
    }
}
