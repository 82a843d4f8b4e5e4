package io.gpdb.sql.direct;

import io.gpdb.sql.direct.DirectExpression.Form;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Expressions read from words, with the precedence that the grammar has and the types that the
 * validator finds. Throws {@link NotDirect} at all else.
 */
final class DirectExpressions {
  /** Expressions in one another, which are read by calls in one another. */
  private static final int DEPTH_MAX = 64;

  private final DirectText text;
  private final Places places;
  private int at;
  private int depth;

  /** How many CASEs and the like are around: no parameter in them has its type from a column. */
  private int choices;

  /** How many of these are COALESCE and NULLIF. */
  private int known;

  /** What names mean. */
  interface Places {
    /** The column that the name, or the qualified name, says that begins here. */
    DirectExpression column(int at);

    /** A call of a function that is none of the operators, of which the name is here; or null. */
    @Nullable DirectExpression call(DirectExpressions reader, String function);

    /** A subquery of all of these words: its value, or whether it has a row. */
    DirectExpression query(int from, int to, boolean exists);

    /** Notes the type of a parameter that is compared. */
    DirectExpression parameter(DirectExpression parameter, SqlTypeSpec type);
  }

  DirectExpressions(DirectText text, Places places) {
    this.text = text;
    this.places = places;
  }

  /** The expression that is all of these words. */
  DirectExpression all(int from, int to) {
    DirectExpression read = from(from);
    if (at != to) {
      throw NotDirect.here();
    }
    return read;
  }

  /** The expression that begins here and ends at {@link #end}. */
  DirectExpression from(int from) {
    at = from;
    return expression();
  }

  int end() {
    return at;
  }

  /** A condition that is all of these words. */
  DirectExpression condition(int from, int to) {
    return truth(all(from, to));
  }

  // Steps over words

  boolean skips(String word) {
    boolean is = text.is(at, word);
    at += is ? 1 : 0;
    return is;
  }

  void skip(String word) {
    if (!skips(word)) {
      throw NotDirect.here();
    }
  }

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

  private static DirectExpression truth(DirectExpression value) {
    if (!value.isTruth()) {
      throw NotDirect.here();
    }
    return value;
  }

  // From the operators that bind least to those that bind most

  DirectExpression expression() {
    if (++depth > DEPTH_MAX) {
      throw NotDirect.here();
    }
    DirectExpression left = conjunction();
    while (skips("OR")) {
      left = logic(Form.OR, left, conjunction());
    }
    depth--;
    return left;
  }

  private DirectExpression conjunction() {
    DirectExpression left = negation();
    while (skips("AND")) {
      left = logic(Form.AND, left, negation());
    }
    return left;
  }

  private static DirectExpression logic(Form form, DirectExpression left, DirectExpression right) {
    return DirectExpression.of(form, SqlTypeSpec.BOOLEAN, truth(left), truth(right));
  }

  private DirectExpression negation() {
    int negations = 0;
    while (skips("NOT")) {
      negations++;
    }
    DirectExpression value = predicate();
    for (; negations > 0; negations--) {
      value = not(truth(value));
    }
    return value;
  }

  private static DirectExpression not(DirectExpression value) {
    return DirectExpression.of(Form.NOT, SqlTypeSpec.BOOLEAN, value);
  }

  private DirectExpression predicate() {
    DirectExpression left = sum();
    Form comparison = comparison(text.word(at));
    if (comparison != null) {
      at++;
      return compared(comparison, left, sum());
    }
    if (skips("IS")) {
      return isNull(skips("NOT") ? Form.IS_NOT_NULL : Form.IS_NULL, left);
    }
    boolean not = text.is(at, "NOT") && (text.is(at + 1, "BETWEEN") || text.is(at + 1, "IN"));
    at += not ? 1 : 0;
    if (skips("BETWEEN")) {
      DirectExpression within = between(left);
      return not ? not(within) : within;
    }
    if (skips("IN")) {
      DirectExpression among = membership(left);
      return not ? not(among) : among;
    }
    return left;
  }

  private static @Nullable Form comparison(String sign) {
    return switch (sign) {
      case "=" -> Form.EQUAL;
      case "<>" -> Form.UNEQUAL;
      case "<" -> Form.LESS;
      case "<=" -> Form.AT_MOST;
      case ">" -> Form.GREATER;
      case ">=" -> Form.AT_LEAST;
      default -> null;
    };
  }

  private DirectExpression isNull(Form form, DirectExpression operand) {
    skip("NULL");
    if (operand.form() == Form.PARAMETER) {
      throw NotDirect.here();
    }
    return new DirectExpression(form, SqlTypeSpec.BOOLEAN, false, 0, List.of(operand));
  }

  private DirectExpression compared(Form form, DirectExpression left, DirectExpression right) {
    DirectExpression a = beside(left, right);
    DirectExpression b = beside(right, left);
    boolean unknown = a.isUntypedNull() || b.isUntypedNull();
    if (!(a.isUntypedNull() || a.isExact()) || !(b.isUntypedNull() || b.isExact())) {
      throw NotDirect.here();
    }
    return unknown
        ? DirectExpression.nullOf(SqlTypeSpec.BOOLEAN)
        : DirectExpression.of(form, SqlTypeSpec.BOOLEAN, a, b);
  }

  /** A parameter beside a column has the type of the column. */
  private DirectExpression beside(DirectExpression value, DirectExpression other) {
    if (!value.isUntypedParameter()) {
      return value;
    }
    if (other.form() != Form.COLUMN || !other.isNumber() || choices > 0) {
      throw NotDirect.here();
    }
    return places.parameter(value, other.type());
  }

  private DirectExpression between(DirectExpression value) {
    if (text.is(at, "SYMMETRIC") || text.is(at, "ASYMMETRIC")) {
      throw NotDirect.here();
    }
    DirectExpression least = sum();
    skip("AND");
    DirectExpression most = sum();
    requireSameBesideParameters(value, List.of(least, most));
    return logic(
        Form.AND, compared(Form.AT_LEAST, value, least), compared(Form.AT_MOST, value, most));
  }

  private DirectExpression membership(DirectExpression value) {
    List<DirectExpression> members = new ArrayList<>();
    skip("(");
    do {
      members.add(sum());
    } while (skips(","));
    skip(")");
    requireSameBesideParameters(value, members);
    DirectExpression any = compared(Form.EQUAL, value, members.getFirst());
    for (int i = 1; i < members.size(); i++) {
      any = logic(Form.OR, any, compared(Form.EQUAL, value, members.get(i)));
    }
    return any;
  }

  private static boolean isWhole(DirectExpression value) {
    return value.isNumber() || value.isUntypedNull();
  }

  /**
   * Several values of different types would give a parameter the type that they have in common, and
   * whole numbers digits after the point.
   */
  private static void requireSameBesideParameters(
      DirectExpression value, List<DirectExpression> others) {
    boolean open = !isWhole(value);
    boolean same = true;
    for (DirectExpression other : others) {
      open |= other.isUntypedParameter() || !isWhole(other);
      same &= other.isUntypedParameter() || other.type().equals(value.type());
    }
    if (value.isUntypedParameter() || (open && !same)) {
      throw NotDirect.here();
    }
  }

  private DirectExpression sum() {
    DirectExpression left = product();
    while (text.is(at, "+") || text.is(at, "-")) {
      Form form = text.is(at++, "+") ? Form.PLUS : Form.MINUS;
      left = arithmetic(form, left, product());
    }
    return left;
  }

  private DirectExpression product() {
    DirectExpression left = signed();
    while (text.is(at, "*") || text.is(at, "/")) {
      Form form = text.is(at++, "*") ? Form.TIMES : Form.DIVIDED;
      left = arithmetic(form, left, signed());
    }
    return left;
  }

  private static DirectExpression arithmetic(
      Form form, DirectExpression left, DirectExpression right) {
    SqlTypeSpec type = wider(computed(left).type(), computed(right).type());
    return DirectExpression.of(form, type, left, right);
  }

  private static SqlTypeSpec wider(SqlTypeSpec a, SqlTypeSpec b) {
    boolean isFirst = a.equals(SqlTypeSpec.REAL) || b.equals(SqlTypeSpec.INTEGER);
    return isFirst ? a : b;
  }

  private DirectExpression signed() {
    int first = at;
    while (text.is(at, "+") || text.is(at, "-")) {
      at++;
    }
    int signs = at;
    DirectExpression value = operand();
    while (signs > first) {
      boolean minus = text.is(--signs, "-");
      value = signed(minus, value);
    }
    return value;
  }

  private static DirectExpression signed(boolean minus, DirectExpression value) {
    if (!value.isExact() && !value.isComputed()) {
      throw NotDirect.here();
    }
    if (value.form() == Form.LITERAL) {
      return minus ? literal(-value.number()) : value;
    }
    return DirectExpression.of(minus ? Form.NEGATED : Form.SAME, value.type(), value);
  }

  /** The place after a number that begins here, perhaps with signs and in parentheses; or -1. */
  int literalEnd(int from) {
    int number = from;
    while (text.is(number, "+") || text.is(number, "-")) {
      number++;
    }
    if (text.is(number, "(")) {
      int end = literalEnd(number + 1);
      return end >= 0 && text.is(end, ")") ? end + 1 : -1;
    }
    return text.wholeNumber(number) >= 0 ? number + 1 : -1;
  }

  private DirectExpression operand() {
    String word = text.word(at);
    if (word.isEmpty()) {
      return literal();
    }
    if (skips("(")) {
      DirectExpression inner = text.is(at, "SELECT") ? query(false) : expression();
      skip(")");
      return inner;
    }
    if (skips("NULL")) {
      return DirectExpression.UNTYPED_NULL;
    }
    if (text.is(at, "?")) {
      return DirectExpression.untypedParameter(text.parameter(at++));
    }
    if (skips("CASE")) {
      return choice();
    }
    if (text.is(at + 1, "(")) {
      return call(word);
    }
    DirectExpression column = places.column(at);
    at += text.is(at + 1, ".") ? 3 : 1;
    return column;
  }

  private DirectExpression query(boolean exists) {
    if (known > 0 || !text.is(at, "SELECT")) {
      throw NotDirect.here();
    }
    int end = text.closing(at);
    DirectExpression query = places.query(at, end, exists);
    at = end;
    return query;
  }

  private DirectExpression literal() {
    long value = text.wholeNumber(at++);
    if (value < 0) {
      throw NotDirect.here();
    }
    return literal(value);
  }

  private static DirectExpression literal(long value) {
    boolean small = value == (int) value;
    return DirectExpression.literal(small ? SqlTypeSpec.INTEGER : SqlTypeSpec.BIGINT, value);
  }

  // Functions

  private DirectExpression call(String function) {
    at += 2;
    DirectExpression value =
        switch (function) {
          case "ABS" -> {
            DirectExpression operand = number(expression());
            yield DirectExpression.of(Form.ABSOLUTE, operand.type(), operand);
          }
          case "CAST" -> cast();
          case "COALESCE" -> firstKnown();
          case "NULLIF" -> nullIf();
          case "EXISTS" -> query(true);
          default -> places.call(this, function);
        };
    if (value == null) {
      throw NotDirect.here();
    }
    skip(")");
    return value;
  }

  private DirectExpression cast() {
    DirectExpression value = expression();
    skip("AS");
    SqlTypeSpec type =
        switch (text.word(at++)) {
          case "INTEGER", "INT" -> SqlTypeSpec.INTEGER;
          case "BIGINT" -> SqlTypeSpec.BIGINT;
          case "REAL" -> SqlTypeSpec.REAL;
          default -> throw NotDirect.here();
        };
    return value.isUntypedNull()
        ? DirectExpression.nullOf(type)
        : DirectExpression.of(Form.CAST, type, number(value));
  }

  private DirectExpression firstKnown() {
    List<DirectExpression> operands = new ArrayList<>();
    choices++;
    known++;
    do {
      operands.add(number(expression()));
    } while (skips(","));
    choices--;
    known--;
    if (operands.size() < 2) {
      throw NotDirect.here();
    }
    boolean nullable = operands.getLast().nullable();
    SqlTypeSpec type = operands.getLast().type();
    // Whether the result of a NULL may be one depends on its type and that of the others.
    for (DirectExpression operand : operands) {
      if (operand.form() == Form.NULL) {
        throw NotDirect.here();
      }
      type = wider(type, operand.type());
    }
    return new DirectExpression(Form.FIRST_KNOWN, type, nullable, 0, List.copyOf(operands));
  }

  private DirectExpression nullIf() {
    choices++;
    known++;
    DirectExpression value = number(expression());
    skip(",");
    DirectExpression other = number(expression());
    choices--;
    known--;
    return chosen(
        List.of(compared(Form.EQUAL, value, other), DirectExpression.UNTYPED_NULL, value));
  }

  private DirectExpression choice() {
    choices++;
    DirectExpression value = text.is(at, "WHEN") ? null : expression();
    List<DirectExpression> operands = new ArrayList<>();
    while (skips("WHEN")) {
      DirectExpression when = expression();
      operands.add(value == null ? truth(when) : compared(Form.EQUAL, value, when));
      skip("THEN");
      operands.add(expression());
    }
    operands.add(skips("ELSE") ? expression() : DirectExpression.UNTYPED_NULL);
    skip("END");
    choices--;
    if (operands.size() == 1) {
      throw NotDirect.here();
    }
    return chosen(operands);
  }

  /** A CASE of those operands, some of whose results are numbers, and all others NULL. */
  private static DirectExpression chosen(List<DirectExpression> operands) {
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
