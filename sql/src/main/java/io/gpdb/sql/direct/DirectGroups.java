package io.gpdb.sql.direct;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.direct.DirectExpression.Form;
import io.gpdb.sql.direct.DirectStatement.Aggregate;
import io.gpdb.sql.direct.DirectStatement.Aggregated;
import io.gpdb.sql.direct.DirectStatement.Grouping;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The keys of groups and what is aggregated of each: the fields of the groups' rows. */
final class DirectGroups {
  private final List<Integer> keys = new ArrayList<>();
  private final List<Aggregated> aggregates = new ArrayList<>();

  /** How many of the aggregates take each value once. */
  private int distincts;

  /** Adds a field of the rows; all are added before the first aggregate. */
  void addKey(int field) {
    if (!keys.contains(field)) {
      keys.add(field);
    }
  }

  /** The field of the rows that is a field of the groups' rows, or -1. */
  int fieldOfRow(int ofGroup) {
    return ofGroup < keys.size() ? keys.get(ofGroup) : -1;
  }

  /** A column of the rows as a field of the groups' rows. */
  DirectExpression key(int field, ColumnDef column) {
    int key = keys.indexOf(field);
    if (key < 0) {
      throw NotDirect.here();
    }
    return new DirectExpression(Form.COLUMN, column.type(), column.nullable(), key, List.of());
  }

  /**
   * An aggregate as a field of the groups' rows.
   *
   * @param each whether each value is taken once
   * @param argument null for COUNT(*)
   */
  DirectExpression aggregate(
      Aggregate aggregate, boolean each, @Nullable DirectExpression argument) {
    aggregates.add(new Aggregated(aggregate, each, argument));
    distincts += each ? 1 : 0;
    if (distincts > 1 && !keys.isEmpty()) {
      throw NotDirect.here(); // then groups have another order
    }
    boolean counts = aggregate == Aggregate.COUNT;
    boolean nullable = !counts && (keys.isEmpty() || (argument != null && argument.nullable()));
    return new DirectExpression(
        Form.COLUMN,
        type(aggregate, argument),
        nullable,
        keys.size() + aggregates.size() - 1L,
        List.of());
  }

  private static SqlTypeSpec type(Aggregate aggregate, @Nullable DirectExpression argument) {
    return argument == null
        ? SqlTypeSpec.BIGINT
        : switch (aggregate) {
          case COUNT -> SqlTypeSpec.BIGINT;
          case MIN, MAX -> argument.type();
          case SUM -> sum(argument);
          case AVG -> average(argument);
        };
  }

  private static SqlTypeSpec sum(DirectExpression argument) {
    return argument.isFloat()
        ? floatOf(argument)
        : argument.isNumber()
            ? SqlTypeSpec.BIGINT
            : SqlTypeSpec.decimal(SqlTypeSpec.NARROW_DIGITS_MAX, argument.type().scale());
  }

  /** A sum of floats depends on the order in which they are added: those of kernels. */
  private static SqlTypeSpec floatOf(DirectExpression argument) {
    if (!argument.isNeverKnown()) {
      throw NotDirect.here();
    }
    return SqlTypeSpec.DOUBLE;
  }

  private static SqlTypeSpec average(DirectExpression argument) {
    if (argument.isFloat()) {
      return floatOf(argument);
    }
    if (argument.type().kind() != SqlTypeSpec.Kind.INTEGER) {
      throw NotDirect.here();
    }
    return SqlTypeSpec.AVERAGE_OF_INTEGER;
  }

  Grouping grouping(@Nullable DirectExpression having) {
    return new Grouping(keys.isEmpty(), List.copyOf(keys), List.copyOf(aggregates), having);
  }
}
