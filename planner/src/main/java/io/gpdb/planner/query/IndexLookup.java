package io.gpdb.planner.query;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.IndexKind;
import io.gpdb.storage.index.KeyRange;
import io.gpdb.txn.api.RowCursor;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Keys of an index, or beginnings of keys of an ordered one, made of fields of other rows and of
 * constants: what a join looks up for each row of its other input.
 */
public final class IndexLookup {
  /** Rows of the table that are asked how many others have their key. */
  private static final int SAMPLES = 8;

  private static final long ESTIMATE_MOST = 10_000;

  private final String name;
  private final int ordinal;
  private final boolean whole;
  private final boolean unique;
  private final boolean exact;
  private final List<Part> parts;

  /** About how many rows a key has, as of a size of the table. */
  private volatile FanOut fanOut = new FanOut(-1, 1);

  private record FanOut(long rowLimit, double rows) {}

  /** What a column of the index equals: a field of the other rows, or an operand. */
  private record Part(int column, boolean isString, int field, @Nullable KeyCompare compare) {
    @Nullable KeyOperand operand() {
      return compare == null ? null : compare.operands().getFirst();
    }
  }

  /** A row of the other input. */
  public interface Row {
    boolean isNull(int field);

    long raw(int field);

    byte[] bytes(int field);
  }

  private IndexLookup(
      TableDef table, String name, int ordinal, int[] columns, boolean unique, List<Part> parts) {
    this.name = name;
    this.ordinal = ordinal;
    whole = parts.size() == columns.length;
    this.unique = whole && unique;
    exact = this.unique || IndexAccess.isExact(table, columns);
    this.parts = parts;
  }

  /**
   * The look-up that conditions on the table and equalities with fields of other rows allow: by a
   * whole key if there is one, else by the beginning that has the most columns; null where there is
   * none.
   *
   * @param fields by column of the table
   */
  public static @Nullable IndexLookup of(
      TableDef table, List<RexNode> conditions, Map<Integer, Integer> fields) {
    List<KeyCompare> compares = KeyCompare.all(table, conditions);
    List<IndexLookup> all = new ArrayList<>();
    for (KeyDef key : table.keys()) {
      List<Part> parts = parts(table, key.columns(), compares, fields);
      boolean whole = parts.size() == key.columns().length;
      if (whole || key.indexKind(table) == IndexKind.ORDERED) {
        all.add(new IndexLookup(table, key.name(), key.indexId(), key.columns(), true, parts));
      }
    }
    for (IndexDef index : table.indexes()) {
      List<Part> parts = parts(table, index.columns(), compares, fields);
      boolean whole = parts.size() == index.columns().length;
      if (whole || index.kind() == IndexKind.ORDERED) {
        all.add(
            new IndexLookup(
                table, index.name(), index.indexId(), index.columns(), index.unique(), parts));
      }
    }
    IndexLookup best = null;
    for (IndexLookup each : all) {
      if (each.parts.stream().anyMatch(part -> part.field >= 0)
          && (best == null || each.rank() > best.rank())) {
        best = each;
      }
    }
    return best;
  }

  private int rank() {
    return parts.size() + (unique ? 2000 : whole ? 1000 : 0);
  }

  private static List<Part> parts(
      TableDef table, int[] columns, List<KeyCompare> compares, Map<Integer, Integer> fields) {
    List<Part> parts = new ArrayList<>();
    for (int column : columns) {
      Integer field = fields.get(column);
      KeyCompare compare = field == null ? equality(compares, column) : null;
      SqlTypeSpec type = table.column(column).type();
      if ((field == null && compare == null) || type.element().isFloat()) {
        break; // floats of other bits may be equal
      }
      parts.add(new Part(column, type.kind().isString(), field == null ? -1 : field, compare));
    }
    return parts;
  }

  private static @Nullable KeyCompare equality(List<KeyCompare> compares, int column) {
    for (KeyCompare compare : compares) {
      if (compare.column() == column
          && compare.kind() == KeyCompare.Kind.EQUAL
          && compare.operands().size() == 1
          && !compare.operands().contains(KeyCompare.IS_NULL)) {
        return compare;
      }
    }
    return null;
  }

  /**
   * Whether what is looked up has the field of the other row in that column, and no other value.
   */
  public boolean covers(int column, int field) {
    return exact && parts.stream().anyMatch(part -> part.column == column && part.field == field);
  }

  /** Whether the condition holds for all that is looked up. */
  public boolean covers(RexNode condition) {
    return exact
        && parts.stream()
            .anyMatch(part -> part.compare != null && part.compare.condition().equals(condition));
  }

  /** What EXPLAIN calls it. */
  public String text() {
    return whole ? name : name + " (" + parts.size() + " of its columns)";
  }

  /** Whether the stored index, which an older version may have made, answers this. */
  public boolean isUsable(TableReader reader) {
    return whole || reader.indexKind(ordinal) == IndexKind.ORDERED;
  }

  /**
   * About how many rows a key has: the mean of some rows' keys, which counts keys with many rows
   * more than those with few.
   */
  public double rowsOfKey(TableReader reader) {
    FanOut known = fanOut;
    long limit = reader.rowLimit();
    if (unique || limit == 0) {
      return 1;
    }
    if (Math.abs(limit - known.rowLimit) * 4 > known.rowLimit) {
      known = new FanOut(limit, sampled(reader, limit));
      fanOut = known;
    }
    return known.rows;
  }

  private double sampled(TableReader reader, long limit) {
    int[] columns = parts.stream().mapToInt(Part::column).sorted().toArray();
    long[] values = new long[columns.length];
    boolean[] nulls = new boolean[columns.length];
    long sum = 0;
    int count = 0;
    for (int i = 0; i < SAMPLES; i++) {
      if (reader.read((2 * i + 1) * limit / (2 * SAMPLES), columns, values, nulls)) {
        KeyRange key = keyOf(reader, columns, values, nulls);
        sum += key == null ? 0 : reader.estimate(ordinal, key, ESTIMATE_MOST);
        count++;
      }
    }
    return count == 0 ? 1 : Math.max(1, (double) sum / count);
  }

  /** The key of a row, or null where a part of it is NULL, which equals nothing. */
  private @Nullable KeyRange keyOf(
      TableReader reader, int[] columns, long[] values, boolean[] nulls) {
    List<KeyRange.Value> key = new ArrayList<>();
    for (Part part : parts) {
      int at = java.util.Arrays.binarySearch(columns, part.column);
      if (nulls[at]) {
        return null;
      }
      CodedStrings strings = part.isString ? reader.strings(part.column) : null;
      key.add(
          strings == null
              ? KeyRange.Value.of(values[at])
              : KeyRange.Value.of(strings.bytes((int) values[at])));
    }
    return KeyRange.of(key);
  }

  /** Looks up for one execution. */
  public Run begin(TableReader reader, ParameterValues parameters) {
    return new Run(reader, parameters);
  }

  /** The look-ups of one execution, whose operands are bound. For one thread. */
  public final class Run {
    private final TableReader reader;
    private final KeyRange.@Nullable Value[] operands;
    private final long[] key = new long[parts.size()];
    private final boolean never;

    private Run(TableReader reader, ParameterValues parameters) {
      this.reader = reader;
      operands = new KeyRange.Value[parts.size()];
      boolean some = true;
      for (int i = 0; i < operands.length; i++) {
        KeyOperand operand = parts.get(i).operand();
        operands[i] = operand == null ? null : operand.value(parameters);
        some &= operand == null || operands[i] != null;
      }
      never = !some;
    }

    /** The rows of the table that belong to a row, null where a value is NULL. */
    public @Nullable RowCursor rows(Row row) {
      if (never) {
        return null;
      }
      for (Part part : parts) {
        if (part.field >= 0 && row.isNull(part.field)) {
          return null;
        }
      }
      return unique ? only(row) : reader.scan(ordinal, range(row), false);
    }

    private KeyRange range(Row row) {
      List<KeyRange.Value> values = new ArrayList<>(operands.length);
      for (int i = 0; i < operands.length; i++) {
        Part part = parts.get(i);
        KeyRange.Value operand = operands[i];
        values.add(
            operand != null
                ? operand
                : part.isString
                    ? KeyRange.Value.of(row.bytes(part.field))
                    : KeyRange.Value.of(row.raw(part.field)));
      }
      return KeyRange.of(values);
    }

    private @Nullable RowCursor only(Row row) {
      for (int i = 0; i < key.length; i++) {
        Part part = parts.get(i);
        KeyRange.Value operand = operands[i];
        if (part.isString) {
          byte[] bytes = operand == null ? row.bytes(part.field) : operand.bytes();
          CodedStrings strings = reader.strings(part.column);
          int code = bytes == null || strings == null ? -1 : strings.find(bytes, 0, bytes.length);
          if (code < 0) {
            reader.noteMissing(ordinal);
            return null;
          }
          key[i] = code;
        } else {
          key[i] = operand == null ? row.raw(part.field) : operand.raw();
        }
      }
      long found = reader.findByKey(ordinal, key);
      return found < 0 ? null : new OneRow(found);
    }
  }

  /** The row of a whole key. */
  private static final class OneRow implements RowCursor {
    private final long row;
    private boolean done;

    OneRow(long row) {
      this.row = row;
    }

    @Override
    public int next(long[] rows) {
      if (done) {
        return 0;
      }
      rows[0] = row;
      done = true;
      return 1;
    }
  }
}
