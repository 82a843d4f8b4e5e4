package io.gpdb.planner.query;

import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.direct.DirectExpression;
import io.gpdb.sql.direct.DirectStatement.Sorted;
import io.gpdb.storage.column.CodedStrings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Rows of values computed one after the other, which are then put in order. */
final class ComputedRows implements WholeEvaluation.Rows {
  private static final byte[] NONE = {};

  private final List<DirectExpression> items;
  private List<Row> rows = new ArrayList<>();

  /** The values of a row; 0 for NULL. */
  private static final class Row {
    final long[] values;
    final boolean[] nulls;

    Row(int items) {
      values = new long[items];
      nulls = new boolean[items];
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Row row
          && Arrays.equals(values, row.values)
          && Arrays.equals(nulls, row.nulls);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(values);
    }
  }

  ComputedRows(List<DirectExpression> items) {
    this.items = items;
  }

  /** Computes the values of one more row. */
  void add(WholeEvaluation fields) {
    Row row = new Row(items.size());
    for (int i = 0; i < row.values.length; i++) {
      row.values[i] = fields.of(items.get(i));
      row.nulls[i] = fields.isNull();
    }
    rows.add(row);
  }

  @Override
  public int count() {
    return rows.size();
  }

  @Override
  public long firstValue() {
    return rows.getFirst().values[0];
  }

  @Override
  public boolean isFirstNull() {
    return rows.getFirst().nulls[0];
  }

  /** Whether a value is equal to one of other bits. */
  boolean hasOtherBits() {
    for (int i = 0; i < items.size(); i++) {
      for (Row row : rows) {
        if (RawNumbers.hasOtherBits(items.get(i).type(), row.values[i])) {
          return true;
        }
      }
    }
    return false;
  }

  /** Leaves each row once, at its first place. */
  void leaveOutRepeated() {
    Set<Row> known = new HashSet<>();
    List<Row> first = new ArrayList<>();
    for (Row row : rows) {
      if (known.add(row)) {
        first.add(row);
      }
    }
    rows = first;
  }

  void addAll(ComputedRows others) {
    rows.addAll(others.rows);
  }

  /**
   * Keeps the rows that are among others, or those that are not.
   *
   * @param each whether each of the others stands for one row only
   */
  void keep(ComputedRows others, boolean among, boolean each) {
    Map<Row, Integer> left = new HashMap<>();
    for (Row row : others.rows) {
      left.merge(row, 1, Integer::sum);
    }
    List<Row> kept = new ArrayList<>();
    for (Row row : rows) {
      int count = left.getOrDefault(row, 0);
      if (count > 0 == among) {
        kept.add(row);
      }
      if (each && count > 0) {
        left.put(row, count - 1);
      }
    }
    rows = kept;
  }

  /** Sorts the rows; those that are equal stay in their order. */
  void sort(List<Sorted> order) {
    rows.sort((a, b) -> compare(a, b, order));
  }

  private static int compare(Row a, Row b, List<Sorted> order) {
    for (int i = 0; i < order.size(); i++) {
      int item = order.get(i).item();
      int compared = Boolean.compare(a.nulls[item], b.nulls[item]);
      if (compared == 0) {
        compared = Long.compare(a.values[item], b.values[item]);
      }
      if (compared != 0) {
        return order.get(i).descends() ? -compared : compared;
      }
    }
    return 0;
  }

  /**
   * The rows from the offset on, so many at most.
   *
   * @param strings of each column of the result, null where it has none
   */
  RowSet between(long offset, long limit, @Nullable CodedStrings[] strings) {
    int from = (int) Math.min(offset, rows.size());
    int to = (int) Math.min(rows.size(), limit >= rows.size() ? rows.size() : from + limit);
    return new Returned(rows.subList(from, to), strings);
  }

  /** The rows, one at a time. */
  private static final class Returned implements RowSet {
    private final List<Row> rows;
    private final @Nullable CodedStrings[] strings;
    private int next;
    private Row row = new Row(0);

    Returned(List<Row> rows, @Nullable CodedStrings[] strings) {
      this.rows = rows;
      this.strings = strings;
    }

    @Override
    public boolean next() {
      if (next == rows.size()) {
        return false;
      }
      row = rows.get(next++);
      return true;
    }

    @Override
    public boolean isNull(int column) {
      return row.nulls[column];
    }

    @Override
    public long raw(int column) {
      return row.values[column];
    }

    @Override
    public byte[] bytes(int column) {
      CodedStrings coded = strings[column];
      if (coded == null) {
        throw new IllegalStateException("column " + column + " is no string");
      }
      return isNull(column) ? NONE : coded.bytes((int) raw(column));
    }

    @Override
    public String string(int column) {
      return new String(bytes(column), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      next = rows.size();
    }
  }
}
