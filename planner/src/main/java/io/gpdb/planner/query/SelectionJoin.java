package io.gpdb.planner.query;

import io.gpdb.storage.error.StopSignal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of several tables of few rows that fulfil conditions: first of each table those that
 * pass its own, then one table after the other, that with the fewest rows first, and then such as
 * are equal in a column to one that is there. A found row is the number of its row of each table.
 */
final class SelectionJoin {
  /** How many rows it keeps, and looks at for each table, before it gives up. */
  private static final int ROWS_MAX = 1 << 14;

  private final List<JoinCondition> conditions;
  private final List<TableRows> tables;
  private final WholeEvaluation fields;

  /** Of each table the numbers of the rows that pass its own conditions. */
  private final int[][] kept;

  /** A bit for each table that is joined. */
  private long joined;

  private int pairs;

  private SelectionJoin(
      List<JoinCondition> conditions, List<TableRows> tables, WholeEvaluation fields) {
    this.conditions = conditions;
    this.tables = tables;
    this.fields = fields;
    kept = new int[tables.size()][];
  }

  /** The found rows, sorted by those of the first table, then of the next; null: too many. */
  static @Nullable List<int[]> rows(
      List<JoinCondition> conditions, List<TableRows> tables, WholeEvaluation fields) {
    return new SelectionJoin(conditions, tables, fields).rows();
  }

  private @Nullable List<int[]> rows() {
    for (JoinCondition condition : conditions) {
      if (condition.tables() == 0 && !fields.holds(condition.holds())) {
        return List.of();
      }
    }
    for (int table = 0; table < kept.length; table++) {
      kept[table] = passing(table);
    }
    List<int[]> found = List.of(new int[kept.length]);
    for (int step = 0; step < kept.length && !found.isEmpty(); step++) {
      JoinCondition equality = nextEquality();
      int table = equality == null ? smallest() : newTable(equality);
      List<int[]> next = equality == null ? each(found, table) : equal(found, table, equality);
      if (next == null) {
        return null;
      }
      joined |= 1L << table;
      found = next;
    }
    if (found.size() > 1) {
      found.sort(Arrays::compare);
    }
    return found;
  }

  private int[] passing(int table) {
    List<JoinCondition> own = new ArrayList<>();
    for (JoinCondition condition : conditions) {
      if (condition.tables() == 1L << table) {
        own.add(condition);
      }
    }
    TableRows rows = tables.get(table);
    int[] passing = new int[rows.count()];
    int count = 0;
    for (int row = 0; row < passing.length; row++) {
      if (!own.isEmpty()) {
        rows.set(fields, row);
      }
      if (holdAll(own)) {
        passing[count++] = row;
      }
    }
    return Arrays.copyOf(passing, count);
  }

  private boolean holdAll(List<JoinCondition> all) {
    for (JoinCondition condition : all) {
      if (!fields.holds(condition.holds())) {
        return false;
      }
    }
    return true;
  }

  // In which order

  /** The table that a condition reads and that alone is not joined. */
  private int newTable(JoinCondition condition) {
    return Long.numberOfTrailingZeros(condition.tables() & ~joined);
  }

  /** What says how to find rows of one more table, of the fewest; or null. */
  private @Nullable JoinCondition nextEquality() {
    JoinCondition best = null;
    for (JoinCondition condition : conditions) {
      boolean connects = condition.isEquality() && Long.bitCount(condition.tables() & ~joined) == 1;
      if (connects
          && (best == null || kept[newTable(condition)].length < kept[newTable(best)].length)) {
        best = condition;
      }
    }
    return best;
  }

  private int smallest() {
    int best = -1;
    for (int table = 0; table < kept.length; table++) {
      boolean open = (joined >> table & 1) == 0;
      if (open && (best < 0 || kept[table].length < kept[best].length)) {
        best = table;
      }
    }
    return best;
  }

  // Steps

  /** The conditions that can be asked when the table is there, but not before. */
  private List<JoinCondition> asked(int table, @Nullable JoinCondition known) {
    List<JoinCondition> asked = new ArrayList<>();
    for (JoinCondition condition : conditions) {
      boolean isNew = (condition.tables() & ~joined) == 1L << table && !condition.equals(known);
      if (isNew && Long.bitCount(condition.tables()) > 1) {
        asked.add(condition);
      }
    }
    return asked;
  }

  /** Each found row with each row of the table. */
  private @Nullable List<int[]> each(List<int[]> found, int table) {
    List<JoinCondition> asked = asked(table, null);
    List<int[]> next = new ArrayList<>();
    for (int[] row : found) {
      for (int number : kept[table]) {
        if (!isAdded(row, table, number, asked, next)) {
          return null;
        }
      }
    }
    return next;
  }

  /** Each found row with those rows of the table that are equal to it in a column. */
  private @Nullable List<int[]> equal(List<int[]> found, int table, JoinCondition equality) {
    TableRows own = tables.get(table);
    boolean isLeft = own.column(equality.left()) >= 0;
    int column = own.column(isLeft ? equality.left() : equality.right());
    int otherTable = Long.numberOfTrailingZeros(equality.tables() & joined);
    TableRows others = tables.get(otherTable);
    int otherColumn = others.column(isLeft ? equality.right() : equality.left());
    NumbersByValue numbers = new NumbersByValue(own, column, kept[table]);
    List<JoinCondition> asked = asked(table, equality);
    List<int[]> next = new ArrayList<>();
    for (int[] row : found) {
      if (others.isNull(otherColumn, row[otherTable])) {
        continue;
      }
      long value = others.value(otherColumn, row[otherTable]);
      for (int i = numbers.first(value); i >= 0; i = numbers.next(i)) {
        int number = kept[table][i];
        if (own.value(column, number) == value && !isAdded(row, table, number, asked, next)) {
          return null;
        }
      }
    }
    return next;
  }

  /** Rows by the hash codes of their values in a column, but for those that have none. */
  private static final class NumbersByValue {
    /** Of each hash code the place behind that of its first row; 0: no row has it. */
    private final int[] heads;

    /** Of each row the place behind that of the next with its hash code. */
    private final int[] following;

    NumbersByValue(TableRows rows, int column, int[] numbers) {
      heads = new int[Integer.highestOneBit(Math.max(1, numbers.length)) << 1];
      following = new int[numbers.length];
      for (int i = numbers.length - 1; i >= 0; i--) {
        if (!rows.isNull(column, numbers[i])) {
          int hash = hash(rows.value(column, numbers[i]));
          following[i] = heads[hash];
          heads[hash] = i + 1;
        }
      }
    }

    private int hash(long value) {
      return (int) ((value * 0x9E3779B97F4A7C15L) >>> 33) & (heads.length - 1);
    }

    int first(long value) {
      return heads[hash(value)] - 1;
    }

    int next(int place) {
      return following[place] - 1;
    }
  }

  /** Adds a row, if it fulfils the conditions; false where there are too many. */
  private boolean isAdded(
      int[] row, int table, int number, List<JoinCondition> asked, List<int[]> next) {
    StopSignal.poll(pairs);
    if (++pairs > ROWS_MAX * kept.length) {
      return false;
    }
    if (!asked.isEmpty()) {
      tables.get(table).set(fields, number);
      for (JoinCondition condition : asked) {
        for (long left = condition.tables() & joined; left != 0; left &= left - 1) {
          int read = Long.numberOfTrailingZeros(left);
          tables.get(read).set(fields, row[read]);
        }
      }
      if (!holdAll(asked)) {
        return true;
      }
    }
    int[] added = row.clone();
    added[table] = number;
    next.add(added);
    return next.size() <= ROWS_MAX;
  }
}
