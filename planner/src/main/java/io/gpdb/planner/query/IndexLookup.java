package io.gpdb.planner.query;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.catalog.IndexDef;
import io.gpdb.sql.catalog.KeyDef;
import io.gpdb.sql.catalog.TableDef;
import io.gpdb.storage.table.KeyRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * Whole keys of an index, made of fields of other rows and of constants: what a join looks up for
 * each row of its other input.
 */
public final class IndexLookup {
  private final String name;
  private final int ordinal;
  private final List<Part> parts;

  /** A field of the other rows, or an operand. */
  private record Part(int field, @Nullable KeyOperand operand) {}

  private IndexLookup(String name, int ordinal, List<Part> parts) {
    this.name = name;
    this.ordinal = ordinal;
    this.parts = parts;
  }

  /**
   * The look-up that conditions on the table and equalities with fields of other rows allow, or
   * null where they leave a column of each index open.
   *
   * @param fields by column of the table
   */
  public static @Nullable IndexLookup of(
      TableDef table, List<RexNode> conditions, Map<Integer, Integer> fields) {
    List<KeyCompare> compares = KeyCompare.all(table, conditions);
    for (KeyDef key : table.keys()) {
      IndexLookup found = of(key.name(), key.indexId(), key.columns(), compares, fields);
      if (found != null) {
        return found;
      }
    }
    for (IndexDef index : table.indexes()) {
      IndexLookup found = of(index.name(), index.indexId(), index.columns(), compares, fields);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  private static @Nullable IndexLookup of(
      String name,
      int ordinal,
      int[] columns,
      List<KeyCompare> compares,
      Map<Integer, Integer> fields) {
    List<Part> parts = new ArrayList<>();
    boolean joins = false;
    for (int column : columns) {
      Integer field = fields.get(column);
      KeyOperand operand = field == null ? operand(compares, column) : null;
      if (field == null && operand == null) {
        return null;
      }
      joins |= field != null;
      parts.add(new Part(field == null ? -1 : field, operand));
    }
    return joins ? new IndexLookup(name, ordinal, parts) : null;
  }

  private static @Nullable KeyOperand operand(List<KeyCompare> compares, int column) {
    for (KeyCompare compare : compares) {
      if (compare.column() == column
          && compare.kind() == KeyCompare.Kind.EQUAL
          && compare.operands().size() == 1
          && !compare.operands().contains(KeyCompare.IS_NULL)) {
        return compare.operands().getFirst();
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

  /** The range for a row, null where a value is NULL. */
  public @Nullable KeyRange range(
      ParameterValues parameters, IntFunction<KeyRange.@Nullable Value> row) {
    List<KeyRange.Value> values = new ArrayList<>(parts.size());
    for (Part part : parts) {
      KeyOperand operand = part.operand;
      KeyRange.Value value = operand == null ? row.apply(part.field) : operand.value(parameters);
      if (value == null) {
        return null;
      }
      values.add(value);
    }
    return KeyRange.of(values);
  }
}
