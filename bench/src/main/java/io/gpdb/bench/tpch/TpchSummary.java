package io.gpdb.bench.tpch;

import io.gpdb.bench.harness.AlignedTable;
import io.gpdb.bench.harness.PeakMemory.Peak;
import io.gpdb.bench.tpch.TpchReport.Query;
import io.gpdb.bench.tpch.TpchReport.Result;
import io.gpdb.bench.tpch.TpchReport.Total;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** A report as a table on a terminal. */
final class TpchSummary {
  private static final double MEBIBYTE = 1 << 20;

  private TpchSummary() {}

  static void print(TpchReport report, PrintStream out) {
    List<String> header = new ArrayList<>(List.of("ms, later runs (first)"));
    report.totals().forEach(total -> header.add(total.name()));
    AlignedTable table = new AlignedTable(header.toArray(String[]::new));
    for (Query query : report.queries()) {
      table.row(
          cells("Q" + query.number(), report, total -> time(query.results().get(total.name()))));
    }
    table.row(
        cells("geometric mean", report, total -> times(total.warmMillis(), total.firstMillis())));
    table.row(
        cells("ratio to the other", report, total -> times(total.warmRatio(), total.firstRatio())));
    table.row(cells("greatest ratio, later", report, number(Total::warmRatioMax)));
    table.row(cells("peak RSS, MiB", report, mebibytes(Peak::bytes)));
    table.row(cells("of its own", report, mebibytes(Peak::ownBytes)));
    table.row(cells("of mapped files", report, mebibytes(Peak::fileBytes)));
    table.row(cells("answers right", report, total -> "" + total.answered()));
    table.print(out);
    report.problems().forEach(out::println);
  }

  private static String[] cells(String name, TpchReport report, Function<Total, String> cell) {
    List<String> cells = new ArrayList<>(List.of(name));
    report.totals().forEach(total -> cells.add(cell.apply(total)));
    return cells.toArray(String[]::new);
  }

  private static String time(@Nullable Result result) {
    return result == null ? "-" : times(result.warm().median(), result.firstMillis());
  }

  private static Function<Total, String> number(ToDoubleFunction<Total> value) {
    return total -> AlignedTable.significant(value.applyAsDouble(total));
  }

  private static Function<Total, String> mebibytes(ToDoubleFunction<Peak> part) {
    return number(total -> part.applyAsDouble(total.peak()) / MEBIBYTE);
  }

  private static String times(double warm, double first) {
    return Double.isNaN(warm) && Double.isNaN(first)
        ? "-"
        : AlignedTable.significant(warm) + " (" + AlignedTable.significant(first) + ")";
  }
}
