package io.gpdb.planner.query;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.index.KeyRange;
import io.gpdb.storage.index.OrderedIndexLayout;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * What conditions say of the columns of one index: that the first ones equal values, and that the
 * next one is between bounds. So the rows are in one range of the index, or in one for each
 * combination of the values of IN lists.
 */
public final class IndexAccess {
  /** More ranges are no index access. */
  private static final int RANGES_MAX = 1000;

  private final TableDef table;
  private final String name;
  private final int ordinal;
  private final IndexKind kind;
  private final int[] columns;
  private final boolean[] descending;
  private final boolean isKey;
  private final List<List<KeyOperand>> equal = new ArrayList<>();
  private @Nullable KeyCompare low;
  private @Nullable KeyCompare high;
  private boolean present;
  private final List<RexNode> covered = new ArrayList<>();

  private IndexAccess(
      TableDef table,
      String name,
      int ordinal,
      IndexKind kind,
      int[] columns,
      boolean[] descending,
      boolean isKey) {
    this.table = table;
    this.name = name;
    this.ordinal = ordinal;
    this.kind = kind;
    this.columns = columns;
    this.descending = descending;
    this.isKey = isKey;
  }

  /** What the conditions say of each of the table's indexes. */
  public static List<IndexAccess> all(TableDef table, List<RexNode> conditions) {
    List<IndexAccess> all = new ArrayList<>();
    for (KeyDef key : table.keys()) {
      int[] columns = key.columns();
      boolean[] ascending = new boolean[columns.length];
      all.add(
          new IndexAccess(
              table, key.name(), key.indexId(), key.indexKind(table), columns, ascending, true));
    }
    for (IndexDef index : table.indexes()) {
      all.add(
          new IndexAccess(
              table,
              index.name(),
              index.indexId(),
              index.kind(),
              index.columns(),
              index.descending(),
              false));
    }
    List<KeyCompare> compares = KeyCompare.all(table, conditions);
    all.forEach(access -> access.take(compares));
    return all;
  }

  private void take(List<KeyCompare> compares) {
    long ranges = 1;
    while (equal.size() < columns.length) {
      KeyCompare found = find(compares, columns[equal.size()], KeyCompare.Kind.EQUAL);
      if (found == null || ranges * found.operands().size() > RANGES_MAX) {
        break;
      }
      ranges *= found.operands().size();
      equal.add(found.operands());
      covered.add(found.condition());
    }
    if (equal.size() < columns.length && kind == IndexKind.ORDERED) {
      int next = columns[equal.size()];
      low = covered(find(compares, next, KeyCompare.Kind.LOW));
      high = covered(find(compares, next, KeyCompare.Kind.HIGH));
      KeyCompare some = covered(find(compares, next, KeyCompare.Kind.PRESENT));
      present = low != null || high != null || some != null;
    }
  }

  private @Nullable KeyCompare covered(@Nullable KeyCompare compare) {
    if (compare != null) {
      covered.add(compare.condition());
    }
    return compare;
  }

  private static @Nullable KeyCompare find(
      List<KeyCompare> compares, int column, KeyCompare.Kind kind) {
    for (KeyCompare compare : compares) {
      if (compare.column() == column && compare.kind() == kind) {
        return compare;
      }
    }
    return null;
  }

  public String name() {
    return name;
  }

  public int ordinal() {
    return ordinal;
  }

  /** Whether the conditions leave fewer rows than all, as far as one can say. */
  public boolean isBounded() {
    return kind == IndexKind.ORDERED
        ? !equal.isEmpty() || low != null || high != null
        : equal.size() == columns.length && !testsNull();
  }

  private boolean testsNull() {
    return equal.stream().anyMatch(operands -> operands.contains(KeyCompare.IS_NULL));
  }

  /** Whether the stored index, which an older version may have made, answers this. */
  public boolean isUsable(TableReader reader) {
    return reader.indexKind(ordinal) == IndexKind.ORDERED
        || (equal.size() == columns.length && !testsNull());
  }

  /**
   * Whether the ranges hold the rows of the covered conditions and no others: no key is cut, and
   * values that the index does not tell apart are equal.
   */
  public boolean isExact() {
    return isExact(table, columns);
  }

  static boolean isExact(TableDef table, int[] columns) {
    long bytes = 0;
    for (int column : columns) {
      bytes += bytesMax(table.column(column).type());
    }
    return bytes <= OrderedIndexLayout.KEY_BYTES_MAX;
  }

  private static long bytesMax(SqlTypeSpec type) {
    return switch (type.kind()) {
      case CHAR, VARCHAR, VARBINARY ->
          type.precision() <= 0 || type.precision() > 1000 ? 1 << 20 : 3 + 4L * type.precision();
      case WIDE_DECIMAL -> 3 + 2L * type.precision();
      default -> 1 + type.element().bytes();
    };
  }

  /**
   * Whether it leads to a part of the rows that the other one leads to, for the same and further
   * conditions, also in tables of older versions, whose keys are in hash indexes.
   */
  public boolean isNarrowerThan(IndexAccess other) {
    boolean always = !isKey || (equal.size() == columns.length && !testsNull());
    return always && covered.size() > other.covered.size() && covered.containsAll(other.covered);
  }

  /** The conditions that the ranges stand for. */
  public List<RexNode> covered() {
    return covered;
  }

  /** The same rows, of those the ones whose next column, {@code column}, is not NULL. */
  public @Nullable IndexAccess withPresent(int column) {
    if (kind != IndexKind.ORDERED
        || equal.size() == columns.length
        || columns[equal.size()] != column) {
      return null;
    }
    IndexAccess access = new IndexAccess(table, name, ordinal, kind, columns, descending, isKey);
    access.equal.addAll(equal);
    access.low = low;
    access.high = high;
    access.present = true;
    access.covered.addAll(covered);
    return access;
  }

  /**
   * Whether rows in the index's order are in this one: 1, or -1 where they are in the opposite one,
   * else 0. Columns that equal one value may be missing in the order, or be anywhere in it.
   */
  public int order(int[] by, boolean[] down) {
    if (kind != IndexKind.ORDERED || equal.stream().anyMatch(values -> values.size() > 1)) {
      return 0;
    }
    int next = equal.size();
    int direction = 0;
    for (int i = 0; i < by.length; i++) {
      if (isFixed(by[i])) {
        continue;
      }
      if (next == columns.length || columns[next] != by[i]) {
        return 0;
      }
      int own = down[i] == descending[next] ? 1 : -1;
      if (direction != 0 && direction != own) {
        return 0;
      }
      direction = own;
      next++;
    }
    return direction == 0 ? 1 : direction;
  }

  private boolean isFixed(int column) {
    for (int k = 0; k < equal.size(); k++) {
      if (columns[k] == column) {
        return true;
      }
    }
    return false;
  }

  /** The ranges for these parameters; none where a value is NULL. */
  public List<KeyRange> ranges(ParameterValues parameters) {
    KeyRange.Bound least = bound(low, parameters);
    KeyRange.Bound greatest = bound(high, parameters);
    if ((low != null && least == null) || (high != null && greatest == null)) {
      return List.of();
    }
    if (equalsOneKey()) {
      KeyRange.Value[] key = new KeyRange.Value[equal.size()];
      for (int i = 0; i < key.length; i++) {
        KeyRange.Value value = value(equal.get(i).getFirst(), parameters);
        if (value == null) {
          return List.of();
        }
        key[i] = value;
      }
      return List.of(new KeyRange(List.of(key), least, greatest, present));
    }
    List<List<KeyRange.Value>> keys = List.of(List.of());
    for (List<KeyOperand> operands : equal) {
      List<List<KeyRange.Value>> longer = new ArrayList<>();
      for (KeyOperand operand : operands) {
        KeyRange.Value value = value(operand, parameters);
        if (value != null) {
          for (List<KeyRange.Value> key : keys) {
            List<KeyRange.Value> with = new ArrayList<>(key);
            with.add(value);
            longer.add(with);
          }
        }
      }
      keys = longer;
    }
    return keys.stream().map(key -> new KeyRange(key, least, greatest, present)).toList();
  }

  /** Whether no column is in a list of several values. */
  private boolean equalsOneKey() {
    for (List<KeyOperand> operands : equal) {
      if (operands.size() != 1) {
        return false;
      }
    }
    return true;
  }

  private static KeyRange.@Nullable Value value(KeyOperand operand, ParameterValues parameters) {
    return operand == KeyCompare.IS_NULL ? KeyRange.Value.NULL : operand.value(parameters);
  }

  private static KeyRange.@Nullable Bound bound(
      @Nullable KeyCompare compare, ParameterValues parameters) {
    if (compare == null) {
      return null;
    }
    KeyRange.Value value = compare.operands().getFirst().value(parameters);
    return value == null ? null : new KeyRange.Bound(value, compare.included());
  }

  /** The index and the columns that are bounded. */
  public String text() {
    StringBuilder text = new StringBuilder(name);
    int bounded = equal.size() + (low != null || high != null ? 1 : 0);
    for (int k = 0; k < bounded; k++) {
      text.append(k == 0 ? " (" : ", ");
      text.append(table.column(columns[k]).name());
      text.append(k < equal.size() ? "" : " between bounds");
    }
    return text.append(bounded == 0 ? "" : ")").toString();
  }
}
