package io.gpdb.bench.tpch;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.Count;
import io.gpdb.bench.harness.JsonFile;
import io.gpdb.bench.harness.MachineLimits;
import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.bench.tpch.TpchAnswers.Answer;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The queries of TPC-H on a device, their answers held against those of the emulated device. */
@Command(
    name = "tpch",
    mixinStandardHelpOptions = true,
    description = {
      "Loads the tables of TPC-H, runs its 22 queries on a device and on the emulated one.",
      "Exit status 1 when a query fails or two answers differ."
    })
public final class TpchCommand implements Callable<Integer> {
  private static final String STANDARD = "emulated";

  @Option(
      names = "--scale",
      defaultValue = "0.1",
      description = "The scale factor: 1 is six million line items (default: ${DEFAULT-VALUE}).")
  private double factor = 0.1;

  @Option(
      names = "--device",
      defaultValue = STANDARD,
      description = "Of the URL: emulated, cuda, cuda:NUMBER (default: ${DEFAULT-VALUE}).")
  private String device = STANDARD;

  @Option(
      names = "--rounds",
      defaultValue = "3",
      converter = Count.One.class,
      description = "Runs of each query after the first (default: ${DEFAULT-VALUE}).")
  private int rounds = 3;

  @Option(
      names = "--seed",
      defaultValue = "1",
      description = "Of the rows (default: ${DEFAULT-VALUE}).")
  private long seed = 1;

  @Option(names = "--path", description = "Folder for the database (default: a temporary one).")
  private @Nullable Path path;

  @Option(names = "--json", description = "Also write the result to this file as JSON.")
  private @Nullable Path json;

  /**
   * One query on both devices.
   *
   * @param hostAnswer of the emulated device
   */
  record Compared(int query, Answer answer, Answer hostAnswer) {
    boolean isEqual() {
      return answer.sameAs(hostAnswer);
    }
  }

  @Override
  public Integer call() throws SQLException, IOException {
    List<Compared> all = new ArrayList<>();
    double loadSeconds;
    try (ScratchDirectory scratch = new ScratchDirectory(path)) {
      String url = "jdbc:gpdb:" + scratch.fresh();
      long start = System.nanoTime();
      try (Connection connection = DriverManager.getConnection(url)) {
        TpchTables.load(connection, new TpchScale(factor), seed);
      }
      loadSeconds = MachineLimits.seconds(start);
      List<Answer> host = TpchAnswers.of(url, rounds);
      List<Answer> own =
          device.equals(STANDARD) ? host : TpchAnswers.of(url + ";device=" + device, rounds);
      for (int i = 0; i < own.size(); i++) {
        all.add(new Compared(i + 1, own.get(i), host.get(i)));
      }
    }
    print(all, loadSeconds);
    if (json != null) {
      JsonFile.write(json, report(all, loadSeconds));
    }
    return all.stream().allMatch(Compared::isEqual) ? 0 : 1;
  }

  private void print(List<Compared> all, double loadSeconds) {
    System.out.printf("scale factor %s, loaded in %.1f s%n", factor, loadSeconds);
    AlignedTable table =
        new AlignedTable("query", "rows", device + " ms", "first", STANDARD + " ms", "");
    for (Compared each : all) {
      table.row(
          "Q" + each.query(),
          Integer.toString(each.answer().rows().size()),
          AlignedTable.significant(each.answer().millis().median()),
          AlignedTable.significant(each.answer().firstMillis()),
          AlignedTable.significant(each.hostAnswer().millis().median()),
          each.isEqual() ? "equal" : "DIFFERS");
    }
    table.print(System.out);
    for (Compared each : all) {
      if (!each.isEqual()) {
        System.out.println("Q" + each.query() + ": " + difference(each));
      }
    }
  }

  private static String difference(Compared each) {
    if (!each.answer().failure().isEmpty()) {
      return each.answer().failure();
    }
    if (!each.hostAnswer().failure().isEmpty()) {
      return each.hostAnswer().failure();
    }
    List<List<String>> found = each.answer().rows();
    List<List<String>> expected = each.hostAnswer().rows();
    int row = 0;
    while (row < Math.min(found.size(), expected.size())
        && found.get(row).equals(expected.get(row))) {
      row++;
    }
    return "row %d is %s, not %s"
        .formatted(row + 1, rowOrNone(found, row), rowOrNone(expected, row));
  }

  private static String rowOrNone(List<List<String>> rows, int row) {
    return row < rows.size() ? rows.get(row).toString() : "none";
  }

  private Map<String, Object> report(List<Compared> all, double loadSeconds) {
    Map<String, Object> report = new LinkedHashMap<>();
    report.put("workload", "tpch");
    report.put("scale", factor);
    report.put("device", device);
    report.put("loadSeconds", loadSeconds);
    List<Map<String, Object>> queries = new ArrayList<>();
    for (Compared each : all) {
      Map<String, Object> entry = new LinkedHashMap<>();
      entry.put("query", each.query());
      entry.put("rows", each.answer().rows().size());
      entry.put("equal", each.isEqual());
      entry.put("difference", each.isEqual() ? "" : difference(each));
      entry.put("firstMillis", each.answer().firstMillis());
      entry.put("millis", each.answer().millis());
      entry.put("emulatedFirstMillis", each.hostAnswer().firstMillis());
      entry.put("emulatedMillis", each.hostAnswer().millis());
      queries.add(entry);
    }
    report.put("queries", queries);
    return report;
  }
}
