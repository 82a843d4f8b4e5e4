package io.gpdb.sql.tree;

import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a value is of a distinct type.
 *
 * @param distinct the distinct type, or null
 * @param open whether the value may count as one of any type: a parameter, or NULL
 */
public record ValueType(@Nullable ObjectName distinct, boolean open) {
  /** Of a type of SQL. */
  public static final ValueType PLAIN = new ValueType(null, false);

  static final ValueType OPEN = new ValueType(null, true);

  static ValueType of(ObjectName distinct) {
    return new ValueType(distinct, false);
  }

  /** The type of values that are compared, or of which one is chosen; throws 42804. */
  static ValueType common(List<ValueType> types) {
    ValueType common = OPEN;
    for (ValueType type : types) {
      if (common.open) {
        common = type;
      } else if (!type.open && !type.equals(common)) {
        throw mismatch(type, common);
      }
    }
    return common;
  }

  /** A value that is used where one of a type of SQL is needed; throws 42804. */
  void requirePlain(String place) {
    if (distinct != null) {
      throw new GpdbException(
          SqlCondition.TYPE_MISMATCH,
          place + " takes no value of type " + distinct + ": cast it to its source type");
    }
  }

  /** Throws 42804 where the value is of another distinct type than its target. */
  public void requireAssignable(@Nullable ObjectName target) {
    if (distinct != null && target != null && !distinct.equals(target)) {
      throw mismatch(this, of(target));
    }
  }

  private static GpdbException mismatch(ValueType one, ValueType other) {
    return new GpdbException(
        SqlCondition.TYPE_MISMATCH,
        "%s does not fit %s: a cast makes them one type".formatted(one, other));
  }

  @Override
  public String toString() {
    return distinct == null ? "a value of no distinct type" : "a value of type " + distinct;
  }
}
