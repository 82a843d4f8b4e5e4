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
    return DirectOperations.truth(all(from, to));
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

  // From the operators that bind least to those that bind most

  DirectExpression expression() {
    if (++depth > DEPTH_MAX) {
      throw NotDirect.here();
    }
    DirectExpression left = conjunction();
    while (skips("OR")) {
      left = DirectOperations.logic(Form.OR, left, conjunction());
    }
    depth--;
    return left;
  }

  private DirectExpression conjunction() {
    DirectExpression left = negation();
    while (skips("AND")) {
      left = DirectOperations.logic(Form.AND, left, negation());
    }
    return left;
  }

  private DirectExpression negation() {
    int negations = 0;
    while (skips("NOT")) {
      negations++;
    }
    DirectExpression value = predicate();
    for (; negations > 0; negations--) {
      value = DirectOperations.not(value);
    }
    return value;
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
      return not ? DirectOperations.not(within) : within;
    }
    if (skips("IN")) {
      DirectExpression among = membership(left);
      return not ? DirectOperations.not(among) : among;
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
    return DirectOperations.isNull(form, operand);
  }

  private DirectExpression compared(Form form, DirectExpression left, DirectExpression right) {
    return DirectOperations.compared(form, beside(left, right), beside(right, left));
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
    List<DirectExpression> alike = alike(List.of(value, least, most));
    return DirectOperations.logic(
        Form.AND,
        compared(Form.AT_LEAST, alike.getFirst(), alike.get(1)),
        compared(Form.AT_MOST, alike.getFirst(), alike.getLast()));
  }

  private DirectExpression membership(DirectExpression value) {
    List<DirectExpression> all = new ArrayList<>(List.of(value));
    skip("(");
    do {
      all.add(sum());
    } while (skips(","));
    skip(")");
    List<DirectExpression> alike = alike(all);
    DirectExpression any = compared(Form.EQUAL, alike.getFirst(), alike.get(1));
    for (int i = 2; i < alike.size(); i++) {
      DirectExpression equal = compared(Form.EQUAL, alike.getFirst(), alike.get(i));
      any = DirectOperations.logic(Form.OR, any, equal);
    }
    return any;
  }

  /**
   * A value and those that it is compared with, all at once: whole numbers become floats where one
   * is a float. Other values of different types would give a parameter the type that they have in
   * common, or have none.
   */
  private static List<DirectExpression> alike(List<DirectExpression> all) {
    DirectExpression value = all.getFirst();
    if (value.isUntypedParameter()) {
      throw NotDirect.here();
    }
    boolean open = !value.isNumber();
    boolean same = true;
    for (DirectExpression other : all.subList(1, all.size())) {
      open |= !other.isNumber() && !other.isUntypedNull();
      same &= other.isUntypedParameter() || other.isUntypedNull() || isSame(value, other);
    }
    return open && !same ? DirectOperations.floats(all) : all;
  }

  private static boolean isSame(DirectExpression value, DirectExpression other) {
    return value.isUntypedNull() || value.type().equals(other.type());
  }

  private DirectExpression sum() {
    DirectExpression left = product();
    while (text.is(at, "+") || text.is(at, "-")) {
      Form form = text.is(at++, "+") ? Form.PLUS : Form.MINUS;
      left = DirectOperations.arithmetic(form, left, product());
    }
    return left;
  }

  private DirectExpression product() {
    DirectExpression left = signed();
    while (text.is(at, "*") || text.is(at, "/")) {
      Form form = text.is(at++, "*") ? Form.TIMES : Form.DIVIDED;
      left = DirectOperations.arithmetic(form, left, signed());
    }
    return left;
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
      value = DirectOperations.signed(minus, value);
    }
    return value;
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
    return DirectOperations.literal(value);
  }

  // Functions

  private DirectExpression call(String function) {
    at += 2;
    DirectExpression value =
        switch (function) {
          case "ABS" -> DirectOperations.absolute(expression());
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
    return DirectOperations.cast(value, type);
  }

  private DirectExpression firstKnown() {
    List<DirectExpression> operands = new ArrayList<>();
    choices++;
    known++;
    do {
      operands.add(expression());
    } while (skips(","));
    choices--;
    known--;
    return DirectOperations.firstKnown(operands);
  }

  private DirectExpression nullIf() {
    choices++;
    known++;
    DirectExpression value = expression();
    skip(",");
    DirectExpression other = expression();
    choices--;
    known--;
    return DirectOperations.nullIf(value, other);
  }

  private DirectExpression choice() {
    choices++;
    DirectExpression value = text.is(at, "WHEN") ? null : expression();
    List<DirectExpression> operands = new ArrayList<>();
    while (skips("WHEN")) {
      DirectExpression when = expression();
      operands.add(
          value == null ? DirectOperations.truth(when) : compared(Form.EQUAL, value, when));
      skip("THEN");
      operands.add(expression());
    }
    operands.add(skips("ELSE") ? expression() : DirectExpression.UNTYPED_NULL);
    skip("END");
    choices--;
    if (operands.size() == 1) {
      throw NotDirect.here();
    }
    return DirectOperations.chosen(operands);
  }
}
