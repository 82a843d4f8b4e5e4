package io.gpdb.planner.run;

import io.gpdb.exec.ir.Kernel;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.NoRow;
import io.gpdb.planner.batch.Outline;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.sql.definition.TableDef;
import java.util.BitSet;
import java.util.List;
import java.util.function.Supplier;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * A filter whose condition reads no field, such as {@code 's' = ?}: it is evaluated once, and where
 * it does not hold the input is not started.
 */
public final class OnceFilterSource extends Source {
  private final Source input;
  private final HostExpression condition;
  private final String text;

  /**
   * @param condition of literals and parameters, which cannot raise an error
   * @param text the condition as EXPLAIN shows it
   */
  public OnceFilterSource(Source input, RexBuilder rexBuilder, RexNode condition, String text)
      throws NotCovered {
    super(input.columns());
    this.input = input;
    this.condition = new HostCompiler(rexBuilder).condition(condition);
    this.text = text;
  }

  private boolean holds(Execution x) {
    return Boolean.TRUE.equals(condition.evaluate(new NoRow(x)));
  }

  @Override
  public Batches start(Execution x, BitSet needed) {
    return ifHolds(x, () -> input.open(x, needed));
  }

  @Override
  public Batches startForKernels(Execution x, BitSet needed) {
    return ifHolds(x, () -> input.openForKernels(x, needed));
  }

  private Batches ifHolds(Execution x, Supplier<Batches> opened) {
    return holds(x) ? opened.get() : Batches.ofAll(List.of());
  }

  @Override
  public boolean canBeFused() {
    return input.canBeFused();
  }

  @Override
  public double estimatedRows(Execution x) {
    return holds(x) ? input.estimatedRows(x) : 0;
  }

  @Override
  public boolean hasDeadRows() {
    return input.hasDeadRows();
  }

  @Override
  public boolean hasSettledStrings() {
    return input.hasSettledStrings();
  }

  @Override
  public boolean isOneRow() {
    return input.isOneRow();
  }

  @Override
  public @Nullable TableDef storedTable() {
    return input.storedTable();
  }

  @Override
  public int rowIdField() {
    return input.rowIdField();
  }

  @Override
  public void explain(Outline outline) {
    outline.operator("only if " + text, "host, once", this);
    outline.below(input);
  }

  @Override
  public void kernels(List<Kernel> kernels) {
    input.kernels(kernels);
  }
}
