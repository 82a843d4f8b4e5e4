package io.gpdb.planner.query;

import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.direct.DirectStatement.Comparison;
import io.gpdb.sql.direct.DirectStatement.Condition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.jspecify.annotations.Nullable;

/**
 * "Every column of this key equals a constant or parameter": names at most one row, found through
 * the key's index.
 */
public final class KeyCondition {
  private final int keyOrdinal;
  private final String keyName;
  private final Part[] parts;
  private final List<RexNode> rest;

  /** What one key column equals: a parameter, or a constant. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part(
      int column, SqlTypeSpec type, int parameter, boolean isNull, long raw, byte[] bytes) {}

  private KeyCondition(int keyOrdinal, String keyName, Part[] parts, List<RexNode> rest) {
    this.keyOrdinal = keyOrdinal;
    this.keyName = keyName;
    this.parts = parts;
    this.rest = rest;
  }

  /** The condition in a shape's filter, or null when it fixes no key. */
  public static @Nullable KeyCondition of(ScanShape shape) {
    List<RexNode> conditions = shape.conditions();
    for (KeyDef key : shape.table().keys()) {
      KeyCondition found = of(shape, conditions, key);
      if (found != null) {
        return found;
      }
    }
    return null;
  }

  /** The key that the conditions fix, each column of it once; null where they say anything else. */
  public static @Nullable KeyCondition of(TableDef table, List<Condition> conditions) {
    for (KeyDef key : table.keys()) {
      int[] columns = key.columns();
      Part[] parts = new Part[columns.length];
      int found = 0;
      for (Condition condition : conditions) {
        int i = condition.comparison() == Comparison.EQUAL ? 0 : columns.length;
        while (i < columns.length && columns[i] != condition.column()) {
          i++;
        }
        if (i < columns.length && parts[i] == null) {
          SqlTypeSpec type = table.column(columns[i]).type();
          parts[i] = new Part(columns[i], type, condition.parameter(), false, 0, new byte[0]);
          found++;
        }
      }
      if (found == columns.length && found == conditions.size()) {
        return new KeyCondition(key.indexId(), key.name(), parts, List.of());
      }
    }
    return null;
  }

  private static @Nullable KeyCondition of(ScanShape shape, List<RexNode> conditions, KeyDef key) {
    List<RexNode> rest = new ArrayList<>(conditions);
    int[] columns = key.columns();
    Part[] parts = new Part[columns.length];
    for (int i = 0; i < columns.length; i++) {
      SqlTypeSpec type = shape.table().column(columns[i]).type();
      for (RexNode condition : conditions) {
        Part part = part(condition, columns[i], type);
        if (part != null) {
          parts[i] = part;
          rest.remove(condition);
          break;
        }
      }
      if (parts[i] == null) {
        return null;
      }
    }
    return new KeyCondition(key.indexId(), key.name(), parts, rest);
  }

  private static @Nullable Part part(RexNode condition, int column, SqlTypeSpec type) {
    if (condition.getKind() != SqlKind.EQUALS || type.kind() == SqlTypeSpec.Kind.CHAR) {
      return null;
    }
    List<RexNode> operands = ((RexCall) condition).getOperands();
    for (int side = 0; side < 2; side++) {
      RexNode value = withoutStringCast(operands.get(1 - side));
      if (withoutStringCast(operands.get(side)) instanceof RexInputRef input
          && input.getIndex() == column) {
        return constant(value, column, type);
      }
    }
    return null;
  }

  /** A cast between lengths of VARCHAR changes nothing that a comparison sees. */
  private static RexNode withoutStringCast(RexNode node) {
    if (node.getKind() != SqlKind.CAST) {
      return node;
    }
    RexNode inner = ((RexCall) node).getOperands().getFirst();
    boolean strings =
        inner.getType().getSqlTypeName() == org.apache.calcite.sql.type.SqlTypeName.VARCHAR
            && node.getType().getSqlTypeName() == org.apache.calcite.sql.type.SqlTypeName.VARCHAR
            && node.getType().getPrecision()
                == org.apache.calcite.rel.type.RelDataType.PRECISION_NOT_SPECIFIED;
    return strings ? inner : node;
  }

  private static @Nullable Part constant(RexNode value, int column, SqlTypeSpec type) {
    try {
      SqlTypeSpec given = RexValues.spec(value.getType());
      boolean sameForm =
          (given.kind() == type.kind() && given.scale() == type.scale())
              || (type.kind().isCharacter() && given.kind().isCharacter())
              || (type.kind() == SqlTypeSpec.Kind.BIGINT
                  && given.kind() == SqlTypeSpec.Kind.INTEGER);
      if (!sameForm
          || type.kind() == SqlTypeSpec.Kind.REAL
          || type.kind() == SqlTypeSpec.Kind.DOUBLE) {
        return null;
      }
      RexNode bare = RexValues.bareParameter(value);
      if (RexValues.spec(bare.getType()).equals(given)
          && bare instanceof RexDynamicParam parameter) {
        return new Part(column, type, parameter.getIndex(), false, 0, new byte[0]);
      }
      if (!(value instanceof RexLiteral literal)) {
        return null;
      }
      Object constant = RexValues.literal(literal);
      if (constant == null) {
        return new Part(column, type, -1, true, 0, new byte[0]);
      }
      return type.kind().isString()
          ? new Part(column, type, -1, false, 0, HostValue.bytes(type, constant))
          : new Part(column, type, -1, false, HostValue.raw(type, constant), new byte[0]);
    } catch (NotCovered e) {
      return null;
    }
  }

  public int keyOrdinal() {
    return keyOrdinal;
  }

  public String keyName() {
    return keyName;
  }

  /** The conditions besides the key's. */
  public List<RexNode> rest() {
    return rest;
  }

  /**
   * The key's raw values for these parameters, in {@code key}; false when no row can have them (a
   * NULL, or a string that the column's dictionary lacks).
   */
  public boolean fill(long[] key, ParameterValues parameters, TableReader reader) {
    for (int i = 0; i < parts.length; i++) {
      Part part = parts[i];
      int parameter = part.parameter;
      if (parameter < 0 ? part.isNull : parameters.isNull(parameter)) {
        return false;
      }
      if (part.type.kind().isString()) {
        CodedStrings dictionary = reader.strings(part.column);
        byte[] bytes = parameter < 0 ? part.bytes : parameters.bytes(parameter);
        int code = dictionary == null ? -1 : dictionary.find(bytes, 0, bytes.length);
        if (code < 0) {
          return false;
        }
        key[i] = code;
      } else {
        key[i] = parameter < 0 ? part.raw : parameters.raw(parameter);
      }
    }
    return true;
  }

  public int columnCount() {
    return parts.length;
  }

  /**
   * The parameter whose value, as it is bound and unless it is NULL, is all of the key; -1 where
   * there is no such.
   */
  public int soleParameter() {
    return parts.length == 1 && !parts[0].type.kind().isString() ? parts[0].parameter : -1;
  }

  /** Those columns and the key's, ascending, for a row that is read by its key. */
  public int[] columnsWith(int[] others) {
    return IntStream.concat(Arrays.stream(others), Arrays.stream(parts).mapToInt(Part::column))
        .sorted()
        .distinct()
        .toArray();
  }

  /** Where among those columns, which ascend, the key's are, in its index's order. */
  public int[] placesIn(int[] columns) {
    return Arrays.stream(parts)
        .mapToInt(part -> Arrays.binarySearch(columns, part.column))
        .toArray();
  }
}
