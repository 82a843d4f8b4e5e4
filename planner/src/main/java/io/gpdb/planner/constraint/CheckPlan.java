package io.gpdb.planner.constraint;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.Batches;
import io.gpdb.planner.batch.ChosenRows;
import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.batch.Source;
import io.gpdb.planner.expression.HostExpression;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.planner.mapping.QueryMapper;
import io.gpdb.planner.query.PaddedConstants;
import io.gpdb.planner.query.PointQuery;
import io.gpdb.planner.query.RowValues;
import io.gpdb.planner.query.ScanShape;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.tablet.Tablet;
import io.gpdb.txn.api.TableReader;
import java.util.BitSet;
import org.apache.calcite.rel.RelNode;
import org.jspecify.annotations.Nullable;

/**
 * A CHECK as a plan for the rows that make it FALSE: kernels over whole tablets, of which only the
 * changed rows count, or the host for few rows.
 */
final class CheckPlan {
  /** Rows of a tablet, on average, from which a kernel over the tablet costs less. */
  private static final int HOST_ROWS_MAX = 256;

  private final TableDef table;
  private final Source source;
  private final @Nullable HostExpression fails;
  private final int[] columns;

  private CheckPlan(TableDef table, Source source, @Nullable HostExpression fails, int[] columns) {
    this.table = table;
    this.source = source;
    this.fails = fails;
    this.columns = columns;
  }

  /**
   * @param violations a query for the ids of the rows that make it FALSE
   */
  static CheckPlan of(TableDef table, RelNode violations, QueryMapper mapper) {
    RelNode tree = PaddedConstants.in(violations);
    Source source = mapper.map(tree);
    ScanShape shape = ScanShape.of(tree);
    if (shape == null || shape.filter() == null) {
      return new CheckPlan(table, source, null, allColumns(table));
    }
    int[] columns = PointQuery.columnsRead(shape.conditions(), table.columns().size());
    return new CheckPlan(table, source, onHost(shape), columns);
  }

  private static @Nullable HostExpression onHost(ScanShape shape) {
    try {
      return PointQuery.conjunction(new HostCompiler(shape.rexBuilder()), shape.conditions());
    } catch (NotCovered e) {
      return null;
    }
  }

  private static int[] allColumns(TableDef table) {
    int[] all = new int[table.columns().size()];
    for (int i = 0; i < all.length; i++) {
      all[i] = i;
    }
    return all;
  }

  boolean reads(BitSet changed) {
    for (int column : columns) {
      if (changed.get(column)) {
        return true;
      }
    }
    return false;
  }

  /** A row that makes it FALSE, or -1. */
  long firstViolation(Execution x, ChosenRows rows) {
    HostExpression onHost = fails;
    return onHost != null && rows.count() <= (long) HOST_ROWS_MAX * rows.tablets().length
        ? firstOnHost(x, rows, onHost)
        : firstViolation(x.limitedTo(rows));
  }

  private long firstOnHost(Execution x, ChosenRows rows, HostExpression condition) {
    TableReader reader = x.transaction().reader(table.tableId());
    RowValues values = new RowValues(table, reader, columns, x.parameters());
    for (int tablet : rows.tablets()) {
      BitSet chosen = rows.of(tablet);
      for (int r = chosen == null ? -1 : chosen.nextSetBit(0); r >= 0; r = next(chosen, r)) {
        StopSignal.poll(r);
        long row = (long) tablet * Tablet.ROWS + r;
        if (values.moveTo(reader, row) && Boolean.TRUE.equals(condition.evaluate(values))) {
          return row;
        }
      }
    }
    return -1;
  }

  private static int next(@Nullable BitSet rows, int after) {
    return rows == null ? -1 : rows.nextSetBit(after + 1);
  }

  /** As above, of all rows that the execution has. */
  long firstViolation(Execution x) {
    try (Batches batches = source.open(x)) {
      while (true) {
        try (Batch batch = batches.next()) {
          if (batch == null) {
            return -1;
          }
          if (batch.rows() > 0) {
            return batch.hostValues(0).longAt(0);
          }
        }
      }
    }
  }
}
