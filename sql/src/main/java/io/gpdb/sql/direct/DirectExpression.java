package io.gpdb.sql.direct;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;

/**
 * An expression of INTEGER, BIGINT, decimals of up to 18 digits, REAL, DOUBLE and truth values over
 * one row. A column that is passed on as it is may have any type.
 *
 * @param number the value of a literal, 1 for TRUE; the field that is a column; the number of a
 *     parameter or of a subquery
 */
public record DirectExpression(
    Form form, SqlTypeSpec type, boolean nullable, long number, List<DirectExpression> operands) {

  /** What is computed of the operands. */
  public enum Form {
    COLUMN,
    /** A field of the row around a subquery. */
    OUTER_COLUMN,
    /** The value of the one row of a subquery; NULL where it has none. */
    QUERY_VALUE,
    /** Whether a subquery has a row. */
    QUERY_EXISTS,
    LITERAL,
    NULL,
    PARAMETER,
    /** The operand, written behind a plus. */
    SAME,
    NEGATED,
    ABSOLUTE,
    CAST,
    PLUS,
    MINUS,
    TIMES,
    DIVIDED,
    EQUAL,
    UNEQUAL,
    LESS,
    AT_MOST,
    GREATER,
    AT_LEAST,
    AND,
    OR,
    NOT,
    IS_NULL,
    IS_NOT_NULL,
    /** Conditions, each with its result, and the result if none of them holds. */
    CASE,
    /** The first operand that is not NULL, or the last one. */
    FIRST_KNOWN
  }

  /** NULL where nothing says its type: it is taken for a string, of which nothing is computed. */
  static final DirectExpression UNTYPED_NULL = nullOf(SqlTypeSpec.VARCHAR);

  /** A parameter where nothing says its type yet. */
  static DirectExpression untypedParameter(int number) {
    return new DirectExpression(Form.PARAMETER, SqlTypeSpec.VARCHAR, true, number, List.of());
  }

  static DirectExpression nullOf(SqlTypeSpec type) {
    return new DirectExpression(Form.NULL, type, true, 0, List.of());
  }

  static DirectExpression literal(SqlTypeSpec type, long value) {
    return new DirectExpression(Form.LITERAL, type, false, value, List.of());
  }

  /** A call that is NULL where an operand is. */
  static DirectExpression of(Form form, SqlTypeSpec type, DirectExpression... operands) {
    boolean nullable = false;
    for (DirectExpression operand : operands) {
      nullable |= operand.nullable;
    }
    return new DirectExpression(form, type, nullable, 0, List.of(operands));
  }

  /** Whether it is a whole number. */
  boolean isNumber() {
    return DirectConditions.isWhole(type);
  }

  /** Whether it is a number that is computed with. */
  boolean isComputed() {
    return isExact() || isFloat();
  }

  boolean isFloat() {
    return type.kind() == SqlTypeSpec.Kind.REAL || type.kind() == SqlTypeSpec.Kind.DOUBLE;
  }

  /** Whether it is a number without rounding, of up to 18 digits. */
  boolean isExact() {
    return isNumber() || type.kind() == SqlTypeSpec.Kind.DECIMAL;
  }

  boolean isTruth() {
    return type.kind() == SqlTypeSpec.Kind.BOOLEAN;
  }

  boolean isUntypedNull() {
    return form == Form.NULL && type.kind() == SqlTypeSpec.Kind.VARCHAR;
  }

  boolean isUntypedParameter() {
    return form == Form.PARAMETER && type.kind() == SqlTypeSpec.Kind.VARCHAR;
  }

  /** Whether its value is always NULL, whatever the row. */
  boolean isNeverKnown() {
    return switch (form) {
      case NULL -> true;
      case SAME, NEGATED, ABSOLUTE, CAST, PLUS, MINUS, TIMES, DIVIDED -> {
        boolean never = false;
        for (DirectExpression operand : operands) {
          never |= operand.isNeverKnown();
        }
        yield never;
      }
      default -> false;
    };
  }

  /** What it is but for pluses, which mean nothing. */
  DirectExpression withoutPluses() {
    DirectExpression inner = this;
    while (inner.form == Form.SAME) {
      inner = inner.operands.getFirst();
    }
    return inner;
  }
}
