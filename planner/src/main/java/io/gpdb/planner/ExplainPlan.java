package io.gpdb.planner;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.exec.ir.KernelPrinter;
import io.gpdb.planner.run.Execution;
import io.gpdb.sql.Analyzed;
import io.gpdb.sql.Analyzed.ExplainKind;
import io.gpdb.sql.InformationSchema.Statistic;
import io.gpdb.sql.OutputColumn;
import io.gpdb.sql.ParameterDef;
import io.gpdb.sql.SqlTypeSpec;
import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import io.gpdb.txn.Transaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** EXPLAIN, EXPLAIN KERNEL and EXPLAIN ANALYZE: the plan, its kernels, or what running it cost. */
record ExplainPlan(Analyzed.Explain analyzed, Prepared inner, Executions executions)
    implements Prepared {
  private static final List<OutputColumn> COLUMNS =
      List.of(new OutputColumn("PLAN", SqlTypeSpec.VARCHAR, false, null));

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
          ErrorCode.INVALID_STATEMENT, "this statement has no plan: the session carries it out");
    }
    Execution x = executions.begin(tx, parameters);
    List<String> lines =
        analyzed.kind() == ExplainKind.KERNEL ? kernels(plan) : new ArrayList<>(plan.explain(x));
    if (inner.kind() == StatementKind.CHANGE && analyzed.kind() != ExplainKind.KERNEL) {
      lines.add("persistency: " + tx.persistencyText());
    }
    if (analyzed.kind() == ExplainKind.ANALYZE) {
      analyze(plan, tx, x, lines);
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

  private static void analyze(Explainable plan, Transaction tx, Execution x, List<String> lines) {
    Map<String, Long> before = statistics(x);
    long start = System.nanoTime();
    long rows = 0;
    switch (plan.execute(tx, x.parameters())) {
      case Result.UpdateCount count -> rows = count.rows();
      case Result.Rows result -> {
        try (RowSet set = result.rows()) {
          while (set.next()) {
            rows++;
          }
        }
      }
    }
    double millis = (System.nanoTime() - start) / 1e6;
    lines.add(String.format(Locale.ROOT, "rows %d, time %.3f ms", rows, millis));
    Map<String, Long> after = statistics(x);
    lines.add(
        String.format(
            Locale.ROOT,
            "bytes logged %d, bytes persisted %d, drains %d (before the commit)",
            since(before, after, "bytes_logged"),
            since(before, after, "bytes_persisted"),
            since(before, after, "drains")));
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

  @Override
  public long[] executeBatch(Transaction tx, ParameterColumns batch) {
    throw new GpdbException(ErrorCode.INVALID_STATEMENT, "EXPLAIN cannot be executed as a batch");
  }
}
