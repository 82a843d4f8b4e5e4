package io.gpdb.sql.direct;

import io.gpdb.sql.direct.DirectExpression.Form;
import io.gpdb.sql.type.DecimalTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import java.util.ArrayList;
import java.util.List;

/**
 * What operators and functions make of their operands, with the types that the validator finds.
 * Throws {@link NotDirect} where it would cast an operand, or refuse it.
 */
final class DirectOperations {
  private static final int REPEATED_NODES_MAX = 1000;

  private DirectOperations() {}

  // What operands must be

  static DirectExpression computed(DirectExpression value) {
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

  /** Rows are told apart by numbers and truth values only. */
  static DirectExpression distinguishable(DirectExpression value) {
    if (!value.isComputed() && !value.isTruth()) {
      throw NotDirect.here();
    }
    return value;
  }

  /**
   * Rows are grouped, sorted and compared with those of other queries by exact numbers and truth
   * values only.
   */
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
    if (a.isUntypedNull() || b.isUntypedNull()) {
      if (!a.isUntypedNull()) {
        computed(a);
      }
      if (!b.isUntypedNull()) {
        computed(b);
      }
      return DirectExpression.nullOf(SqlTypeSpec.BOOLEAN);
    }
    if (!a.isFloat() && !b.isFloat()) {
      requireExact(a);
      requireExact(b);
      return DirectExpression.of(form, SqlTypeSpec.BOOLEAN, a, b);
    }
    if ((a.isExact() && !a.isNumber()) || (b.isExact() && !b.isNumber())) {
      throw NotDirect.here(); // a decimal beside a float
    }
    SqlTypeSpec type = common(computed(a).type(), computed(b).type());
    return DirectExpression.of(form, SqlTypeSpec.BOOLEAN, converted(a, type), converted(b, type));
  }

  /** Whole numbers and floats as floats of one type. */
  static List<DirectExpression> floats(List<DirectExpression> all) {
    SqlTypeSpec type = null;
    for (DirectExpression value : all) {
      boolean fits = value.isNumber() || value.isFloat() || value.isUntypedNull();
      if (!fits) {
        throw NotDirect.here();
      }
      if (!value.isUntypedNull()) {
        type = type == null ? value.type() : common(type, value.type());
      }
    }
    List<DirectExpression> floats = new ArrayList<>();
    for (DirectExpression value : all) {
      floats.add(type == null ? value : converted(value, type));
    }
    return floats;
  }

  private static void requireExact(DirectExpression value) {
    if (!value.isExact()) {
      throw NotDirect.here();
    }
  }

  // Numbers

  static DirectExpression literal(long value) {
    boolean small = value == (int) value;
    return DirectExpression.literal(small ? SqlTypeSpec.INTEGER : SqlTypeSpec.BIGINT, value);
  }

  static DirectExpression arithmetic(Form form, DirectExpression left, DirectExpression right) {
    SqlTypeSpec a = computed(left).type();
    SqlTypeSpec b = computed(right).type();
    boolean decimal = left.isExact() && right.isExact() && !(left.isNumber() && right.isNumber());
    SqlTypeSpec type =
        !decimal
            ? common(a, b)
            : switch (form) {
              case PLUS, MINUS -> DecimalTypes.sum(a, b);
              case TIMES -> DecimalTypes.product(a, b);
              default -> DecimalTypes.quotient(a, b);
            };
    return computed(DirectExpression.of(form, type, left, right));
  }

  /** The type that has the values of both. */
  private static SqlTypeSpec common(SqlTypeSpec a, SqlTypeSpec b) {
    if (a.equals(b)) {
      return a;
    }
    if (DirectConditions.isWhole(a) && DirectConditions.isWhole(b)) {
      return SqlTypeSpec.BIGINT;
    }
    if (a.kind().isExact() && b.kind().isExact()) {
      return DecimalTypes.common(a, b);
    }
    boolean single =
        (a.equals(SqlTypeSpec.REAL) && DirectConditions.isWhole(b))
            || (b.equals(SqlTypeSpec.REAL) && DirectConditions.isWhole(a));
    return single ? SqlTypeSpec.REAL : SqlTypeSpec.DOUBLE;
  }

  /** A number as one of a type that has its values. */
  private static DirectExpression converted(DirectExpression value, SqlTypeSpec type) {
    boolean same =
        value.type().equals(type)
            || (value.isNumber() && DirectConditions.isWhole(type))
            || value.isUntypedNull();
    return same ? value : DirectExpression.of(Form.CAST, type, value);
  }

  static DirectExpression signed(boolean minus, DirectExpression value) {
    if (computed(value).form() == Form.LITERAL) {
      return minus ? literal(-value.number()) : value;
    }
    return DirectExpression.of(minus ? Form.NEGATED : Form.SAME, value.type(), value);
  }

  static DirectExpression absolute(DirectExpression operand) {
    return DirectExpression.of(Form.ABSOLUTE, computed(operand).type(), operand);
  }

  static DirectExpression cast(DirectExpression value, SqlTypeSpec type) {
    if (value.isUntypedNull()) {
      return DirectExpression.nullOf(type);
    }
    if (type.equals(SqlTypeSpec.REAL) && computed(value).type().kind() == Kind.DECIMAL) {
      throw NotDirect.here(); // rounded twice or once
    }
    return DirectExpression.of(Form.CAST, type, computed(value));
  }

  /** COALESCE. */
  static DirectExpression firstKnown(List<DirectExpression> operands) {
    if (operands.size() < 2) {
      throw NotDirect.here();
    }
    boolean nullable = operands.getLast().nullable();
    SqlTypeSpec type = computed(operands.getLast()).type();
    boolean same = true;
    boolean none = false;
    for (DirectExpression operand : operands) {
      none |= operand.isNeverKnown();
      same &= operand.type().equals(type);
      type = common(type, computed(operand).type());
    }
    if (none && !same) {
      throw NotDirect.here(); // whether the result may be NULL depends on which type is which
    }
    List<DirectExpression> converted = new ArrayList<>();
    for (DirectExpression operand : operands) {
      converted.add(converted(operand, type));
    }
    return computed(
        new DirectExpression(Form.FIRST_KNOWN, type, nullable, 0, List.copyOf(converted)));
  }

  static DirectExpression nullIf(DirectExpression value, DirectExpression other) {
    if (nodes(value, REPEATED_NODES_MAX) > REPEATED_NODES_MAX) {
      throw NotDirect.here(); // the value is there twice: nested, they double at each level
    }
    DirectExpression equal = compared(Form.EQUAL, computed(value), computed(other));
    return chosen(List.of(equal, DirectExpression.UNTYPED_NULL, value));
  }

  /** How many expressions it has, itself among them, where they are not more than some. */
  private static int nodes(DirectExpression of, int most) {
    int nodes = 1;
    for (DirectExpression operand : of.operands()) {
      nodes += nodes > most ? 0 : nodes(operand, most - nodes);
    }
    return nodes;
  }

  /** A CASE of those operands, some of whose results are numbers, and all others NULL. */
  static DirectExpression chosen(List<DirectExpression> operands) {
    SqlTypeSpec type = null;
    boolean nullable = false;
    for (int i = 1; i <= operands.size(); i += 2) {
      DirectExpression result = operands.get(Math.min(i, operands.size() - 1));
      nullable |= result.nullable();
      if (!result.isUntypedNull()) {
        SqlTypeSpec own = computed(result).type();
        type = type == null ? own : common(type, own);
      }
    }
    if (type == null) {
      throw NotDirect.here();
    }
    List<DirectExpression> converted = new ArrayList<>();
    for (int i = 0; i < operands.size(); i++) {
      boolean isResult = i % 2 == 1 || i == operands.size() - 1;
      converted.add(isResult ? converted(operands.get(i), type) : operands.get(i));
    }
    return computed(new DirectExpression(Form.CASE, type, nullable, 0, List.copyOf(converted)));
  }
}
