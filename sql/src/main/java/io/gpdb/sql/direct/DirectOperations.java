package io.gpdb.sql.direct;

import io.gpdb.sql.direct.DirectExpression.Form;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;

/**
 * What operators and functions make of their operands, with the types that the validator finds.
 * Throws {@link NotDirect} where it would cast an operand, or refuse it.
 */
final class DirectOperations {
  private DirectOperations() {}

  // What operands must be

  static DirectExpression number(DirectExpression value) {
    if (!value.isNumber()) {
      throw NotDirect.here();
    }
    return value;
  }

  private static DirectExpression computed(DirectExpression value) {
    if (!value.isComputed()) {
      throw NotDirect.here();
    }
    return value;
  }

  static DirectExpression truth(DirectExpression value) {
    if (!value.isTruth()) {
      throw NotDirect.here();
    }
    return value;
  }

  /** Rows are told apart and sorted by exact numbers and truth values only. */
  static DirectExpression comparable(DirectExpression value) {
    if (!value.isExact() && !value.isTruth()) {
      throw NotDirect.here();
    }
    return value;
  }

  // Truth values

  static DirectExpression logic(Form form, DirectExpression left, DirectExpression right) {
    return DirectExpression.of(form, SqlTypeSpec.BOOLEAN, truth(left), truth(right));
  }

  static DirectExpression not(DirectExpression value) {
    return DirectExpression.of(Form.NOT, SqlTypeSpec.BOOLEAN, truth(value));
  }

  static DirectExpression isNull(Form form, DirectExpression operand) {
    if (operand.form() == Form.PARAMETER) {
      throw NotDirect.here();
    }
    return new DirectExpression(form, SqlTypeSpec.BOOLEAN, false, 0, List.of(operand));
  }

  /** A comparison of operands whose types are known, but for NULL. */
  static DirectExpression compared(Form form, DirectExpression a, DirectExpression b) {
    boolean unknown = a.isUntypedNull() || b.isUntypedNull();
    if (!(a.isUntypedNull() || a.isExact()) || !(b.isUntypedNull() || b.isExact())) {
      throw NotDirect.here();
    }
    return unknown
        ? DirectExpression.nullOf(SqlTypeSpec.BOOLEAN)
        : DirectExpression.of(form, SqlTypeSpec.BOOLEAN, a, b);
  }

  // Numbers

  static DirectExpression literal(long value) {
    boolean small = value == (int) value;
    return DirectExpression.literal(small ? SqlTypeSpec.INTEGER : SqlTypeSpec.BIGINT, value);
  }

  static DirectExpression arithmetic(Form form, DirectExpression left, DirectExpression right) {
    SqlTypeSpec type = wider(computed(left).type(), computed(right).type());
    return DirectExpression.of(form, type, left, right);
  }

  private static SqlTypeSpec wider(SqlTypeSpec a, SqlTypeSpec b) {
    boolean isFirst = a.equals(SqlTypeSpec.REAL) || b.equals(SqlTypeSpec.INTEGER);
    return isFirst ? a : b;
  }

  static DirectExpression signed(boolean minus, DirectExpression value) {
    if (!value.isExact() && !value.isComputed()) {
      throw NotDirect.here();
    }
    if (value.form() == Form.LITERAL) {
      return minus ? literal(-value.number()) : value;
    }
    return DirectExpression.of(minus ? Form.NEGATED : Form.SAME, value.type(), value);
  }

  static DirectExpression absolute(DirectExpression operand) {
    return DirectExpression.of(Form.ABSOLUTE, number(operand).type(), operand);
  }

  static DirectExpression cast(DirectExpression value, SqlTypeSpec type) {
    return value.isUntypedNull()
        ? DirectExpression.nullOf(type)
        : DirectExpression.of(Form.CAST, type, number(value));
  }

  /** COALESCE. */
  static DirectExpression firstKnown(List<DirectExpression> operands) {
    if (operands.size() < 2) {
      throw NotDirect.here();
    }
    boolean nullable = operands.getLast().nullable();
    SqlTypeSpec type = number(operands.getLast()).type();
    // Whether the result of a NULL may be one depends on its type and that of the others.
    for (DirectExpression operand : operands) {
      if (operand.form() == Form.NULL) {
        throw NotDirect.here();
      }
      type = wider(type, number(operand).type());
    }
    return new DirectExpression(Form.FIRST_KNOWN, type, nullable, 0, List.copyOf(operands));
  }

  static DirectExpression nullIf(DirectExpression value, DirectExpression other) {
    DirectExpression equal = compared(Form.EQUAL, number(value), number(other));
    return chosen(List.of(equal, DirectExpression.UNTYPED_NULL, value));
  }

  /** A CASE of those operands, some of whose results are numbers, and all others NULL. */
  static DirectExpression chosen(List<DirectExpression> operands) {
    SqlTypeSpec type = null;
    boolean nullable = false;
    for (int i = 1; i <= operands.size(); i += 2) {
      DirectExpression result = operands.get(Math.min(i, operands.size() - 1));
      nullable |= result.nullable();
      if (!result.isUntypedNull()) {
        type = type == null ? number(result).type() : wider(type, number(result).type());
      }
    }
    if (type == null) {
      throw NotDirect.here();
    }
    return new DirectExpression(Form.CASE, type, nullable, 0, List.copyOf(operands));
  }
}
