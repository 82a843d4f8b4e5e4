package io.gpdb.planner.batch;

import io.gpdb.exec.KernelTrap;
import io.gpdb.planner.expression.HostRow;
import io.gpdb.planner.expression.compiler.FailingCall;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.planner.expression.host.HostCasts;
import io.gpdb.planner.query.RowValues;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Names the row and the expression behind an error of an operator. A kernel reports only the row,
 * the lowest of the launch; the host computes that row again, for the message alone.
 */
public final class FailingRow {
  private static final int FILTER = -1;

  private final Source input;
  private final RexBuilder rexBuilder;
  private final @Nullable RexNode filter;
  private final List<RexNode> outputs;
  private final BitSet computed;

  public FailingRow(
      Source input, RexBuilder rexBuilder, @Nullable RexNode filter, List<RexNode> outputs) {
    this(input, rexBuilder, filter, outputs, all(outputs.size()));
  }

  /**
   * @param computed the outputs that the operator computes
   */
  public FailingRow(
      Source input,
      RexBuilder rexBuilder,
      @Nullable RexNode filter,
      List<RexNode> outputs,
      BitSet computed) {
    this.computed = (BitSet) computed.clone();
    this.input = input;
    this.rexBuilder = rexBuilder;
    this.filter = filter;
    this.outputs = List.copyOf(outputs);
  }

  private static BitSet all(int outputs) {
    BitSet all = new BitSet();
    all.set(0, outputs);
    return all;
  }

  /**
   * Runs launches over the batch; a trap of an expression becomes the error that SQL wants, unless
   * the batch has fields that only a kernel finds.
   */
  public <T> T launched(
      KernelExpressions expressions, Execution x, Batch batch, Supplier<T> launches) {
    try {
      return launches.get();
    } catch (KernelTrap trap) {
      if (batch.found() != null) {
        throw trap;
      }
      GpdbException error = expressions.failure(trap);
      boolean ofRow = trap.detail() >= 0 && trap.detail() < batch.rows();
      throw error.code() == ErrorCode.INTERNAL || !ofRow
          ? error
          : explained(error, x, batch, (int) trap.detail());
    }
  }

  /**
   * Runs launches over several batches. A trap names a row, but not its batch: the batches are then
   * launched one by one, so that the error is that of the first row that has one.
   */
  public <T> T launched(
      KernelExpressions expressions,
      Execution x,
      List<Batch> batches,
      Function<List<Batch>, T> launches) {
    if (batches.size() == 1) {
      return launched(expressions, x, batches.getFirst(), () -> launches.apply(batches));
    }
    try {
      return launches.apply(batches);
    } catch (KernelTrap trap) {
      if (batches.stream().anyMatch(batch -> batch.found() != null)) {
        throw trap;
      }
      for (Batch batch : batches) {
        launched(expressions, x, batch, () -> launches.apply(List.of(batch)));
      }
      throw expressions.failure(trap);
    }
  }

  /** The error of a row with the expression, its values, and the row. */
  public GpdbException explained(GpdbException error, Execution x, Batch batch, int row) {
    if (error.code() == ErrorCode.CANCELLED || isOfSequence(error)) {
      return error;
    }
    HostRow values = new BatchRow(batch, input.types(), row, x.parameters());
    FailingCall found = filter == null ? null : FailingCall.inCondition(filter, rexBuilder, values);
    int field = FILTER;
    for (int i = computed.nextSetBit(0); found == null && i >= 0; i = computed.nextSetBit(i + 1)) {
      found = FailingCall.in(outputs.get(i), rexBuilder, values);
      field = i;
    }
    if (found == null) {
      return new GpdbException(
          error.code(), error.getMessage() + place(x, batch, row), new RowFault(FILTER, error));
    }
    return new GpdbException(
        found.error().code(),
        found.error().getMessage() + in(found.call(), values) + place(x, batch, row),
        new RowFault(field, error));
  }

  /** Such an error is of no row, and looking for its expression would take more numbers. */
  private static boolean isOfSequence(GpdbException error) {
    return error.code() == SqlCondition.SEQUENCE_EXHAUSTED
        || error.code() == SqlCondition.OBJECT_NOT_READY;
  }

  private String in(RexNode call, HostRow row) {
    List<String> names = input.columns().stream().map(SourceColumn::name).toList();
    List<String> values = new ArrayList<>();
    for (int column : RelOptUtil.InputFinder.bits(call)) {
      SqlTypeSpec type = input.columns().get(column).type();
      values.add(
          RexText.name(names.get(column)) + " = " + HostCasts.shown(row.column(column), type));
    }
    return " in "
        + RexText.of(call, names, row.parameters())
        + (values.isEmpty() ? "" : " with " + String.join(", ", values));
  }

  /** The row of a stored table by its key, or by its number where it has none; where known. */
  private String place(Execution x, Batch batch, int row) {
    TableDef table = input.storedTable();
    long number = batch.rowNumber(row);
    if (table == null || number == Batch.NO_ROW_NUMBER) {
      return "";
    }
    return ": table "
        + table.name()
        + ", row "
        + (table.keys().isEmpty() ? Long.toString(number + 1) : key(x, table, number));
  }

  private static String key(Execution x, TableDef table, long row) {
    KeyDef key =
        table.keys().stream().filter(KeyDef::primary).findFirst().orElse(table.keys().getFirst());
    int[] columns = Arrays.stream(key.columns()).sorted().toArray();
    TableReader reader = x.transaction().reader(table.tableId());
    RowValues values = new RowValues(table, reader, columns, x.parameters());
    if (!values.moveTo(reader, row)) {
      return Long.toString(row + 1);
    }
    List<String> texts = new ArrayList<>();
    for (int column : key.columns()) {
      SqlTypeSpec type = table.column(column).type();
      texts.add(table.column(column).name() + " = " + HostCasts.shown(values.column(column), type));
    }
    return String.join(", ", texts);
  }

  /** One row of a batch. */
  private record BatchRow(Batch batch, List<SqlTypeSpec> types, int row, ParameterValues parameters)
      implements HostRow {
    @Override
    public @Nullable Object column(int index) {
      return batch.value(index, types.get(index), row);
    }
  }
}
