package io.gpdb.planner.query;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.index.KeyRange;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * SELECT MIN(c) or MAX(c) FROM table WHERE the columns of an ordered index before c equal values:
 * the first or last entry of a range and one row read, without operators.
 */
public final class ExtremeQuery {
  private final TableDef table;
  private final IndexAccess access;
  private final boolean backwards;
  private final int[] columns;

  private ExtremeQuery(TableDef table, IndexAccess access, boolean backwards, int column) {
    this.table = table;
    this.access = access;
    this.backwards = backwards;
    this.columns = new int[] {column};
  }

  /** The look-up that answers the tree, or null when no index does. */
  public static @Nullable ExtremeQuery of(RelNode tree) {
    AggregateCall call = tree instanceof Aggregate aggregate ? extreme(aggregate) : null;
    ScanShape shape = call == null ? null : ScanShape.of(tree.getInput(0));
    if (call == null
        || shape == null
        || !(shape.outputs().get(call.getArgList().getFirst()) instanceof RexInputRef argument)
        || argument.getIndex() >= shape.table().columns().size()) {
      return null;
    }
    int column = argument.getIndex();
    boolean greatest = call.getAggregation().getKind() == SqlKind.MAX;
    List<RexNode> conditions =
        shape.filter() == null
            ? List.of()
            : RelOptUtil.conjunctions(
                RexUtil.expandSearch(shape.rexBuilder(), null, shape.filter()));
    for (IndexAccess each : IndexAccess.all(shape.table(), conditions)) {
      IndexAccess present = each.withPresent(column);
      if (present != null && present.isExact() && present.covered().containsAll(conditions)) {
        int order = present.order(new int[] {column}, new boolean[] {greatest});
        if (order != 0) {
          return new ExtremeQuery(shape.table(), present, order < 0, column);
        }
      }
    }
    return null;
  }

  /** The least or greatest value that an aggregation without groups asks for, if it is all. */
  public static @Nullable AggregateCall extreme(Aggregate aggregate) {
    if (!aggregate.getGroupSet().isEmpty() || aggregate.getAggCallList().size() != 1) {
      return null;
    }
    AggregateCall call = aggregate.getAggCallList().getFirst();
    SqlKind kind = call.getAggregation().getKind();
    return (kind == SqlKind.MIN || kind == SqlKind.MAX) && call.filterArg < 0 ? call : null;
  }

  /** Whether the stored index, which an older version may have made, answers this. */
  public boolean isUsable(Transaction tx) {
    return access.isUsable(tx.reader(table.tableId()));
  }

  public RowSet run(Transaction tx, ParameterValues parameters) {
    TableReader reader = tx.reader(table.tableId());
    RowValues values = new RowValues(table, reader, columns, parameters);
    long[] first = new long[1];
    boolean found = false;
    for (KeyRange range : access.ranges(parameters)) {
      found =
          reader.scan(access.ordinal(), range, backwards).next(first) > 0
              && values.moveTo(reader, first[0]);
    }
    return new Extreme(values, columns[0], !found || values.isNull(columns[0]));
  }

  /** One row: the value, or NULL where there is none. */
  private static final class Extreme implements RowSet {
    private final RowValues values;
    private final int column;
    private final boolean none;
    private boolean pending = true;

    Extreme(RowValues values, int column, boolean none) {
      this.values = values;
      this.column = column;
      this.none = none;
    }

    @Override
    public boolean next() {
      boolean had = pending;
      pending = false;
      return had;
    }

    @Override
    public boolean isNull(int field) {
      return none;
    }

    @Override
    public long raw(int field) {
      return none ? 0 : values.raw(column);
    }

    @Override
    public byte[] bytes(int field) {
      return none ? new byte[0] : values.bytes(column);
    }

    @Override
    public String string(int field) {
      return new String(bytes(field), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      pending = false;
    }
  }
}
