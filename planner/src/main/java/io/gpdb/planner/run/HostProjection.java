package io.gpdb.planner.run;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.BatchMemory;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Filter and projection of few rows, row by row on the host: what {@link FilterProjectSource} does
 * by kernels for many. Columns are copied with their codes, so strings keep their domain; what is
 * computed are no strings. Immutable.
 */
final class HostProjection {
  private final RexBuilder rexBuilder;
  private final List<SqlTypeSpec> inputTypes;
  private final List<SqlTypeSpec> types;
  private final @Nullable RexNode filter;
  private final List<RexNode> outputs;
  private volatile @Nullable Compiled compiled;

  /** Made for the first rows: most plans are run once or never by the host. */
  private record Compiled(@Nullable HostExpression condition, List<Output> outputs) {}

  /** An output: a column of the input as it is, or where that is -1 an expression. */
  private record Output(int column, HostExpression expression) {}

  HostProjection(
      RexBuilder rexBuilder,
      List<SqlTypeSpec> inputTypes,
      @Nullable RexNode filter,
      List<RexNode> outputs,
      List<SqlTypeSpec> types) {
    this.rexBuilder = rexBuilder;
    this.inputTypes = inputTypes;
    this.filter = filter;
    this.outputs = outputs;
    this.types = types;
  }

  private Compiled compiled() {
    Compiled known = compiled;
    if (known == null) {
      try {
        known = compile(new HostCompiler(rexBuilder));
      } catch (NotCovered e) {
        throw new IllegalStateException("the host lacks what a kernel has", e);
      }
      compiled = known;
    }
    return known;
  }

  private Compiled compile(HostCompiler compiler) throws NotCovered {
    HostExpression condition = filter == null ? null : compiler.condition(filter);
    List<Output> all = new ArrayList<>();
    for (RexNode node : outputs) {
      int column = node instanceof RexInputRef ref ? ref.getIndex() : -1;
      all.add(new Output(column, compiler.compile(node)));
    }
    return new Compiled(condition, all);
  }

  /** The input's fields that are read for some of the outputs. */
  BitSet read(BitSet needed) {
    BitSet read = new BitSet();
    if (filter != null) {
      read.or(RelOptUtil.InputFinder.bits(filter).toBitSet());
    }
    for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
      read.or(RelOptUtil.InputFinder.bits(outputs.get(i)).toBitSet());
    }
    return read;
  }

  /**
   * The outputs of the rows that pass, in memory of their own; null where a row raises an error,
   * which the kernel is to find and to tell.
   */
  @Nullable DenseBatch run(Batch batch, Execution x, BitSet needed) {
    BatchMemory memory = new BatchMemory();
    try {
      FewRows.Row row = new FewRows.Row(inputTypes, x.parameters());
      Compiled by = compiled();
      int[] passing = passing(batch, row, by.condition);
      DenseBatch result = new DenseBatch(passing.length, outputs.size(), memory);
      for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
        fill(result, i, by.outputs.get(i), batch, passing, row);
      }
      return result;
    } catch (GpdbException e) {
      memory.close();
      if (e.code() == ErrorCode.CANCELLED || e.code() == ErrorCode.OUT_OF_MEMORY) {
        throw e;
      }
      return null;
    } catch (RuntimeException | Error e) {
      memory.close();
      throw e;
    }
  }

  private static int[] passing(Batch batch, FewRows.Row row, @Nullable HostExpression condition) {
    int[] passing = new int[batch.rows()];
    int count = 0;
    for (int r = 0; r < passing.length; r++) {
      if (row.moveTo(batch, r)
          && (condition == null || Boolean.TRUE.equals(condition.evaluate(row)))) {
        passing[count++] = r;
      }
    }
    return Arrays.copyOf(passing, count);
  }

  private void fill(
      DenseBatch result, int field, Output output, Batch batch, int[] rows, FewRows.Row row) {
    ElementType element = types.get(field).element();
    HostBuffer values = result.memory().pin((long) rows.length * element.bytes());
    HostBuffer validity = result.memory().bitmap(rows.length);
    boolean hasNulls = false;
    for (int i = 0; i < rows.length; i++) {
      boolean isNull;
      long raw = 0;
      if (output.column >= 0) {
        isNull = batch.isNull(output.column, rows[i]);
        raw = isNull ? 0 : element.rawAt(batch.hostValues(output.column), rows[i]);
      } else {
        row.moveTo(batch, rows[i]);
        Object value = output.expression.evaluate(row);
        isNull = value == null;
        raw = value == null ? 0 : HostValue.raw(types.get(field), value);
      }
      hasNulls |= isNull;
      element.setRawAt(values, i, raw);
      Bitmaps.set(validity, i, !isNull);
    }
    result.set(field, values, hasNulls ? validity : null);
    if (types.get(field).kind().isString()) {
      result.strings(field, batch.strings(output.column));
    }
  }
}
