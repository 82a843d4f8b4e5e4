package io.gpdb.planner.run;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.FailingRow;
import io.gpdb.planner.batch.RowsBuilder;
import io.gpdb.planner.expression.HostCompiler;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Filter and projection of few rows, row by row on the host: what {@link FilterProjectSource} does
 * by kernels for many. Immutable.
 */
final class HostProjection {
  private final List<SqlTypeSpec> inputTypes;
  private final FailingRow failingRow;
  private final @Nullable HostExpression condition;
  private final BitSet conditionReads;
  private final List<HostExpression> outputs = new ArrayList<>();
  private final List<BitSet> outputReads = new ArrayList<>();

  private HostProjection(
      RexBuilder rexBuilder,
      List<SqlTypeSpec> inputTypes,
      FailingRow failingRow,
      @Nullable RexNode filter,
      List<RexNode> nodes)
      throws NotCovered {
    this.inputTypes = inputTypes;
    this.failingRow = failingRow;
    HostCompiler compiler = new HostCompiler(rexBuilder);
    condition = filter == null ? null : compiler.condition(filter);
    conditionReads = filter == null ? new BitSet() : columns(filter);
    for (RexNode node : nodes) {
      outputs.add(compiler.compile(node));
      outputReads.add(columns(node));
    }
  }

  private static BitSet columns(RexNode node) {
    return RelOptUtil.InputFinder.bits(node).toBitSet();
  }

  /** For these expressions, or null where the host lacks one. */
  static @Nullable HostProjection of(
      RexBuilder rexBuilder,
      List<SqlTypeSpec> inputTypes,
      FailingRow failingRow,
      @Nullable RexNode filter,
      List<RexNode> outputs) {
    try {
      return new HostProjection(rexBuilder, inputTypes, failingRow, filter, outputs);
    } catch (NotCovered e) {
      return null;
    }
  }

  /** The input's fields that are read for some of the outputs. */
  BitSet read(BitSet needed) {
    BitSet read = (BitSet) conditionReads.clone();
    for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
      read.or(outputReads.get(i));
    }
    return read;
  }

  /** The outputs of the rows that pass, copied: the batches are not needed any more. */
  Batches run(Batches rows, Execution x, List<SqlTypeSpec> types, BitSet needed) {
    List<Batch> results = new ArrayList<>();
    RowsBuilder builder = new RowsBuilder(types);
    FewRows.Row row = new FewRows.Row(inputTypes, x.parameters());
    while (true) {
      try (Batch batch = rows.next()) {
        if (batch == null) {
          return Batches.ofAll(results);
        }
        builder.makeRoom(batch.rows());
        for (int r = 0; r < batch.rows(); r++) {
          if (row.moveTo(batch, r)) {
            try {
              add(row, builder, needed);
            } catch (GpdbException e) {
              throw failingRow.explained(e, x, batch, r);
            }
          }
        }
        if (builder.rows() > 0) {
          results.add(builder.batch());
        }
      }
    }
  }

  private void add(FewRows.Row row, RowsBuilder builder, BitSet needed) {
    if (condition == null || Boolean.TRUE.equals(condition.evaluate(row))) {
      for (int i = needed.nextSetBit(0); i >= 0; i = needed.nextSetBit(i + 1)) {
        builder.set(i, outputs.get(i).evaluate(row));
      }
      builder.endRow();
    }
  }
}
