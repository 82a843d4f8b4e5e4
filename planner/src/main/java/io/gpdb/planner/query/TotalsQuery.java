package io.gpdb.planner.query;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectStatement;
import io.gpdb.sql.direct.DirectStatement.Comparison;
import io.gpdb.sql.direct.DirectStatement.Condition;
import io.gpdb.sql.direct.DirectStatement.Total;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TabletView;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Aggregates of all rows of a table, or of those that pass, which the host reads one by one. */
public final class TotalsQuery {
  private final TableDef table;
  private final List<Condition> conditions;
  private final List<Total> totals;

  /** Columns that are read, and for each condition and total the position of its own; -1: none. */
  private final int[] columns;

  private final int[] compared;
  private final int[] added;

  public TotalsQuery(DirectStatement.Totals statement) {
    table = statement.table();
    conditions = statement.conditions();
    totals = statement.totals();
    List<Integer> read = new ArrayList<>();
    compared = new int[conditions.size()];
    for (int i = 0; i < compared.length; i++) {
      compared[i] = position(conditions.get(i).column(), read);
    }
    added = new int[totals.size()];
    for (int i = 0; i < added.length; i++) {
      added[i] = position(totals.get(i).column(), read);
    }
    columns = new int[read.size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = read.get(i);
    }
  }

  private static int position(int column, List<Integer> read) {
    if (column >= 0 && !read.contains(column)) {
      read.add(column);
    }
    return read.indexOf(column);
  }

  /** Whether rows are only counted, tablet by tablet. */
  public boolean countsTablets() {
    return columns.length == 0;
  }

  /** Whether a condition is on the first column of an index, by which few rows may be found. */
  public boolean mayUseIndex() {
    for (Condition condition : conditions) {
      int column = condition.column();
      if (table.keys().stream().anyMatch(key -> key.columns()[0] == column)
          || table.indexes().stream().anyMatch(index -> index.columns()[0] == column)) {
        return true;
      }
    }
    return false;
  }

  public TableDef table() {
    return table;
  }

  /** The one row; null where a sum is beyond 64 bits. */
  public @Nullable RowSet run(Transaction tx, ParameterValues parameters) {
    TableReader reader = tx.reader(table.tableId());
    Sums sums = new Sums();
    long[] operands = new long[compared.length];
    boolean none = !bind(reader, parameters, operands);
    for (int t = 0, n = reader.tabletCount(); t < n; t++) {
      try (TabletView view = reader.open(t, columns)) {
        if (!none && !sums.add(view, operands)) {
          return null;
        }
      }
    }
    return new OneRow(sums);
  }

  /** The values that columns are compared with; false where no value compares as true. */
  private boolean bind(TableReader reader, ParameterValues parameters, long[] operands) {
    for (int i = 0; i < operands.length; i++) {
      Condition condition = conditions.get(i);
      if (parameters.isNull(condition.parameter())) {
        return false;
      }
      CodedStrings strings = reader.strings(condition.column());
      if (strings == null) {
        operands[i] = parameters.raw(condition.parameter());
      } else {
        byte[] bytes = parameters.bytes(condition.parameter());
        operands[i] = strings.find(bytes, 0, bytes.length);
        if (operands[i] < 0) {
          return false;
        }
      }
    }
    return true;
  }

  /** The aggregates so far. */
  private final class Sums {
    private final long[] counts = new long[totals.size()];
    private final long[] values = new long[totals.size()];

    /** Adds a tablet's rows; false where a sum is beyond 64 bits. */
    boolean add(TabletView view, long[] operands) {
      int rows = view.rowCount();
      HostBuffer live = view.allLive() ? null : view.live().onHost();
      if (countsTablets()) {
        int count = live == null ? rows : Bitmaps.count(live, 0, rows);
        for (int i = 0; i < counts.length; i++) {
          counts[i] += count;
        }
        return true;
      }
      ColumnView[] read = new ColumnView[columns.length];
      for (int i = 0; i < read.length; i++) {
        read[i] = view.column(i).onHost();
      }
      for (int row = 0; row < rows; row++) {
        StopSignal.poll(row);
        if ((live == null || Bitmaps.test(live, row))
            && passes(read, row, operands)
            && !add(read, row)) {
          return false;
        }
      }
      return true;
    }

    private boolean passes(ColumnView[] read, int row, long[] operands) {
      for (int i = 0; i < operands.length; i++) {
        ColumnView column = read[compared[i]];
        if (column.isNull(row)
            || !holds(conditions.get(i).comparison(), column.raw(row), operands[i])) {
          return false;
        }
      }
      return true;
    }

    private boolean add(ColumnView[] read, int row) {
      for (int i = 0; i < values.length; i++) {
        ColumnView column = added[i] < 0 ? null : read[added[i]];
        if (column != null && column.isNull(row)) {
          continue;
        }
        long value = column == null ? 0 : column.raw(row);
        boolean first = counts[i]++ == 0;
        switch (totals.get(i).aggregate()) {
          case COUNT -> {}
          case MIN -> values[i] = first ? value : Math.min(values[i], value);
          case MAX -> values[i] = first ? value : Math.max(values[i], value);
          case SUM -> {
            long sum = values[i] + value;
            if (((values[i] ^ sum) & (value ^ sum)) < 0) {
              return false;
            }
            values[i] = sum;
          }
          case AVG -> throw new IllegalStateException("the average of a column is no total");
        }
      }
      return true;
    }
  }

  private static boolean holds(Comparison comparison, long value, long operand) {
    return switch (comparison) {
      case EQUAL -> value == operand;
      case UNEQUAL -> value != operand;
      case LESS -> value < operand;
      case AT_MOST -> value <= operand;
      case GREATER -> value > operand;
      case AT_LEAST -> value >= operand;
    };
  }

  /** The row of aggregates, which are whole numbers. */
  private final class OneRow implements RowSet {
    private final Sums sums;
    private boolean pending = true;

    OneRow(Sums sums) {
      this.sums = sums;
    }

    @Override
    public boolean next() {
      boolean had = pending;
      pending = false;
      return had;
    }

    private boolean isCount(int column) {
      return totals.get(column).aggregate() == DirectStatement.Aggregate.COUNT;
    }

    @Override
    public boolean isNull(int column) {
      return !isCount(column) && sums.counts[column] == 0;
    }

    @Override
    public long raw(int column) {
      return isCount(column) ? sums.counts[column] : sums.values[column];
    }

    @Override
    public byte[] bytes(int column) {
      throw new IllegalStateException("column " + column + " is no string");
    }

    @Override
    public String string(int column) {
      throw new IllegalStateException("column " + column + " is no string");
    }

    @Override
    public void close() {
      pending = false;
    }
  }
}
