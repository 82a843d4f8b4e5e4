package io.gpdb.planner.expression;

import io.gpdb.planner.text.Characters;
import io.gpdb.planner.text.TextLimit;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Functions of character strings on the host; positions and lengths count code points. */
final class HostStrings {
  private HostStrings() {}

  static @Nullable HostExpression compile(RexCall call, List<HostExpression> o) {
    boolean characters =
        call.getOperands().stream()
            .allMatch(
                operand ->
                    SqlTypeName.CHAR_TYPES.contains(operand.getType().getSqlTypeName())
                        || SqlTypeName.INT_TYPES.contains(operand.getType().getSqlTypeName())
                        || operand.getType().getSqlTypeName() == SqlTypeName.SYMBOL
                        || operand.getType().getSqlTypeName() == SqlTypeName.NULL);
    if (!characters || o.isEmpty()) {
      return null;
    }
    return switch (call.getOperator().getName().toUpperCase(Locale.ROOT)) {
      case "LIKE" -> like(o, false, false);
      case "NOT LIKE" -> like(o, true, false);
      case "ILIKE" -> like(o, false, true);
      case "NOT ILIKE" -> like(o, true, true);
      case "UPPER" -> text(o, text -> text.toUpperCase(Locale.ROOT));
      case "LOWER" -> text(o, text -> text.toLowerCase(Locale.ROOT));
      case "CHAR_LENGTH", "CHARACTER_LENGTH", "LENGTH" ->
          text(o, text -> (long) Characters.length(text));
      case "||", "CONCAT" -> concat(o);
      case "SUBSTRING", "SUBSTR" -> substring(o);
      case "TRIM" -> trim(call, o);
      case "LTRIM" -> trimOf(o, true);
      case "RTRIM" -> trimOf(o, false);
      case "REPLACE" -> replace(o);
      case "POSITION" -> o.size() == 2 ? position(o) : null;
      default -> null;
    };
  }

  /** A function of one string. */
  private interface Text {
    Object apply(String text);
  }

  private static HostExpression text(List<HostExpression> o, Text function) {
    HostExpression operand = o.getFirst();
    return row -> {
      Object value = operand.evaluate(row);
      return value == null ? null : function.apply((String) value);
    };
  }

  private static HostExpression concat(List<HostExpression> o) {
    return row -> {
      StringBuilder all = new StringBuilder();
      for (HostExpression operand : o) {
        Object value = operand.evaluate(row);
        if (value == null) {
          return null;
        }
        TextLimit.check("||", all, (String) value);
        all.append((String) value);
      }
      return all.toString();
    };
  }

  private static HostExpression substring(List<HostExpression> o) {
    return row -> {
      Object value = o.get(0).evaluate(row);
      Object from = o.get(1).evaluate(row);
      Object count = o.size() > 2 ? o.get(2).evaluate(row) : Long.valueOf(0);
      if (value == null || from == null || count == null) {
        return null;
      }
      return o.size() > 2
          ? Characters.substring((String) value, (Long) from, (Long) count)
          : Characters.substring((String) value, (Long) from);
    };
  }

  private static @Nullable HostExpression trim(RexCall call, List<HostExpression> o) {
    if (!(call.getOperands().getFirst() instanceof RexLiteral literal)) {
      return null;
    }
    SqlTrimFunction.Flag flag = literal.getValueAs(SqlTrimFunction.Flag.class);
    if (flag == null) {
      return null;
    }
    boolean left = flag != SqlTrimFunction.Flag.TRAILING;
    boolean right = flag != SqlTrimFunction.Flag.LEADING;
    return row -> {
      Object what = o.get(1).evaluate(row);
      Object value = o.get(2).evaluate(row);
      if (what == null || value == null) {
        return null;
      }
      return Characters.trimmed((String) value, (String) what, left, right);
    };
  }

  /** LTRIM or RTRIM with the characters to cut. */
  private static @Nullable HostExpression trimOf(List<HostExpression> o, boolean before) {
    if (o.size() != 2) {
      return null;
    }
    return row -> {
      Object value = o.get(0).evaluate(row);
      Object characters = o.get(1).evaluate(row);
      if (value == null || characters == null) {
        return null;
      }
      return Characters.trimmedOf((String) value, (String) characters, before);
    };
  }

  private static HostExpression replace(List<HostExpression> o) {
    return row -> {
      Object text = o.get(0).evaluate(row);
      Object search = o.get(1).evaluate(row);
      Object by = o.get(2).evaluate(row);
      if (text == null || search == null || by == null) {
        return null;
      }
      return ((String) search).isEmpty()
          ? text
          : TextLimit.replaced((String) text, (String) search, (String) by);
    };
  }

  private static HostExpression position(List<HostExpression> o) {
    return row -> {
      Object search = o.get(0).evaluate(row);
      Object text = o.get(1).evaluate(row);
      if (search == null || text == null) {
        return null;
      }
      return (long) Characters.position((String) search, (String) text);
    };
  }

  /** LIKE with patterns remembered: a pattern is nearly always the same for every row. */
  private static HostExpression like(List<HostExpression> o, boolean negated, boolean anyCase) {
    LikePattern[] last = new LikePattern[1];
    return row -> {
      Object value = o.get(0).evaluate(row);
      Object pattern = o.get(1).evaluate(row);
      Object escape = o.size() > 2 ? o.get(2).evaluate(row) : "";
      if (value == null || pattern == null || escape == null) {
        return null;
      }
      LikePattern known = last[0];
      if (known == null || !known.is((String) pattern, (String) escape)) {
        known = new LikePattern((String) pattern, (String) escape, anyCase);
        last[0] = known;
      }
      return known.matches((String) value) != negated;
    };
  }
}
