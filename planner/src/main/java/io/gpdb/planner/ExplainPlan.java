package io.gpdb.planner;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelPrinter;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Measures;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.planner.statement.StatementKind;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.information.InformationSchema.Statistic;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.Analyzed.ExplainKind;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * EXPLAIN, EXPLAIN KERNEL, EXPLAIN ANALYZE and EXPLAIN ANALYZE KERNEL: the plan, its kernels, what
 * running it cost, and what its warps did.
 */
record ExplainPlan(Analyzed.Explain analyzed, Prepared inner, Executions executions, Device device)
    implements Prepared {
  private static final List<OutputColumn> COLUMNS =
      List.of(new OutputColumn("PLAN", SqlTypeSpec.VARCHAR, false));

  @Override
  public StatementKind kind() {
    return StatementKind.QUERY;
  }

  @Override
  public List<ParameterDef> parameters() {
    return inner.parameters();
  }

  @Override
  public List<OutputColumn> columns() {
    return COLUMNS;
  }

  @Override
  public Result execute(Transaction tx, ParameterValues parameters) {
    if (!(inner instanceof Explainable plan)) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT, "this statement has no plan: the session carries it out");
    }
    Execution x = executions.begin(tx, parameters);
    List<String> lines =
        switch (analyzed.kind()) {
          case KERNEL -> kernels(plan);
          case PLAN -> new ArrayList<>(plan.explain(x));
          case ANALYZE -> analyze(plan, x, new Measures(false));
          case ANALYZE_KERNEL -> analyze(plan, x, new Measures(true));
        };
    if (!device.memory().isHosts() && analyzed.kind() != ExplainKind.KERNEL) {
      lines.add(
          MemoryAccount.current().worksOnHost()
              ? "kernels run on the host, which takes plans of up to %d rows"
                  .formatted(device.hostRows())
              : "kernels run on " + device.name());
    }
    if (inner.kind() == StatementKind.CHANGE && analyzed.kind() != ExplainKind.KERNEL) {
      lines.add("persistency: " + tx.protocolText());
    }
    return new Result.Rows(new TextRowSet(lines));
  }

  private static List<String> kernels(Explainable plan) {
    List<String> lines = new ArrayList<>();
    for (Kernel kernel : plan.kernels()) {
      KernelPrinter.print(kernel).lines().forEach(lines::add);
      lines.add("");
    }
    if (lines.isEmpty()) {
      lines.add("no kernel: a key look-up, or work of the host alone");
    }
    return lines;
  }

  private List<String> analyze(Explainable plan, Execution x, Measures measures) {
    Map<String, Long> before = statistics(x);
    long start = System.nanoTime();
    Execution measured = x.measuredBy(measures);
    long rows = device.counted(measures.counters(), () -> rows(plan.run(measured)));
    double millis = (System.nanoTime() - start) / 1e6;
    List<String> lines = new ArrayList<>(plan.explain(measured));
    if (plan.kind() == StatementKind.CHANGE) {
      lines.add("change: " + rows + " rows, " + measures.change());
    }
    String time = String.format(Locale.ROOT, "rows %d, time %.3f ms", rows, millis);
    lines.add(time + measures.total());
    Map<String, Long> after = statistics(x);
    lines.add(
        String.format(
            Locale.ROOT,
            "bytes logged %d, bytes persisted %d, drains %d (before the commit)",
            since(before, after, "bytes_logged"),
            since(before, after, "bytes_persisted"),
            since(before, after, "drains")));
    long newBytes = newBytes(rows);
    long logged = since(before, after, "bytes_logged");
    if (newBytes > 0 && logged > 0) {
      double amplification = (double) logged / newBytes;
      lines.add(
          String.format(
              Locale.ROOT,
              "write amplification %.2f: bytes logged for each of %d bytes of new values",
              amplification,
              newBytes));
    }
    return lines;
  }

  private static long rows(Result result) {
    return switch (result) {
      case Result.UpdateCount count -> count.rows();
      case Result.Keyed keyed -> keyed.count();
      case Result.Rows rows -> {
        long count = 0;
        try (RowSet set = rows.rows()) {
          while (set.next()) {
            count++;
          }
        }
        yield count;
      }
    };
  }

  /** Bytes of the values that a change stores in its rows, strings as codes; 0 for others. */
  private long newBytes(long rows) {
    return switch (analyzed.inner()) {
      case Analyzed.Update update ->
          rows * bytes(update.table(), IntStream.of(update.setColumns()));
      case Analyzed.Insert insert ->
          rows * bytes(insert.table(), IntStream.range(0, insert.table().columns().size()));
      default -> 0;
    };
  }

  private static int bytes(TableDef table, IntStream columns) {
    return columns.map(c -> table.column(c).type().element().bytes()).sum();
  }

  private static long since(Map<String, Long> before, Map<String, Long> after, String name) {
    return after.getOrDefault(name, 0L) - before.getOrDefault(name, 0L);
  }

  private static Map<String, Long> statistics(Execution x) {
    Map<String, Long> values = new HashMap<>();
    for (Statistic statistic : x.settings().statistics()) {
      values.put(statistic.name(), statistic.value());
    }
    return values;
  }
}
