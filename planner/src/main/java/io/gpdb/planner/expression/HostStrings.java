package io.gpdb.planner.expression;

import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
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
      case "LIKE" -> like(o, false);
      case "NOT LIKE" -> like(o, true);
      case "UPPER" -> text(o, text -> text.toUpperCase(Locale.ROOT));
      case "LOWER" -> text(o, text -> text.toLowerCase(Locale.ROOT));
      case "CHAR_LENGTH", "CHARACTER_LENGTH", "LENGTH" ->
          text(o, text -> (long) text.codePointCount(0, text.length()));
      case "||", "CONCAT" -> concat(o);
      case "SUBSTRING", "SUBSTR" -> substring(o);
      case "TRIM" -> trim(call, o);
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
        TextLimit.check("||", (long) all.length() + ((String) value).length());
        all.append((String) value);
      }
      return all.toString();
    };
  }

  private static HostExpression substring(List<HostExpression> o) {
    return row -> {
      Object value = o.get(0).evaluate(row);
      Object from = o.get(1).evaluate(row);
      Object count = o.size() > 2 ? o.get(2).evaluate(row) : Long.valueOf(Integer.MAX_VALUE);
      if (value == null || from == null || count == null) {
        return null;
      }
      String text = (String) value;
      if ((Long) count < 0) {
        throw new io.gpdb.storage.GpdbException(
            io.gpdb.storage.ErrorCode.INVALID_ARGUMENT, "SUBSTRING with negative length " + count);
      }
      long length = text.codePointCount(0, text.length());
      long start = Math.max((Long) from, 1);
      long end = Math.min((Long) from + (Long) count, length + 1);
      if (start >= end) {
        return "";
      }
      int begin = text.offsetByCodePoints(0, (int) start - 1);
      return text.substring(begin, text.offsetByCodePoints(begin, (int) (end - start)));
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
      return trimmed((String) value, (String) what, left, right);
    };
  }

  private static String trimmed(String text, String what, boolean left, boolean right) {
    if (what.codePointCount(0, what.length()) != 1) {
      throw new io.gpdb.storage.GpdbException(
          io.gpdb.storage.ErrorCode.INVALID_ARGUMENT,
          "TRIM takes one character, not '" + what + "'");
    }
    int start = 0;
    int end = text.length();
    while (left && start < end && text.startsWith(what, start)) {
      start += what.length();
    }
    while (right && end > start && text.startsWith(what, end - what.length())) {
      end -= what.length();
    }
    return text.substring(start, Math.max(start, end));
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
      int at = ((String) text).indexOf((String) search);
      return at < 0 ? 0L : ((String) text).codePointCount(0, at) + 1L;
    };
  }

  /** LIKE with patterns remembered: a pattern is nearly always the same for every row. */
  private static HostExpression like(List<HostExpression> o, boolean negated) {
    LikePattern[] last = new LikePattern[1];
    return row -> {
      Object value = o.get(0).evaluate(row);
      Object pattern = o.get(1).evaluate(row);
      Object escape = o.size() > 2 ? o.get(2).evaluate(row) : "";
      if (value == null || pattern == null || escape == null) {
        return null;
      }
      LikePattern compiled = last[0];
      if (compiled == null || !compiled.is((String) pattern, (String) escape)) {
        compiled = LikePattern.of((String) pattern, (String) escape);
        last[0] = compiled;
      }
      return compiled.regex.matcher((String) value).matches() != negated;
    };
  }

  /** A LIKE pattern as a regular expression. */
  private record LikePattern(String pattern, String escape, Pattern regex) {
    boolean is(String otherPattern, String otherEscape) {
      return pattern.equals(otherPattern) && escape.equals(otherEscape);
    }

    static LikePattern of(String pattern, String escape) {
      StringBuilder regex = new StringBuilder();
      for (int i = 0; i < pattern.length(); i++) {
        char c = pattern.charAt(i);
        if (!escape.isEmpty() && c == escape.charAt(0)) {
          i++;
          if (i == pattern.length()) {
            throw new io.gpdb.storage.GpdbException(
                io.gpdb.storage.ErrorCode.INVALID_ARGUMENT,
                "LIKE pattern ends with its escape character: " + pattern);
          }
          regex.append(Pattern.quote(String.valueOf(pattern.charAt(i))));
        } else if (c == '%') {
          regex.append(".*");
        } else if (c == '_') {
          regex.append('.');
        } else {
          regex.append(Pattern.quote(String.valueOf(c)));
        }
      }
      return new LikePattern(pattern, escape, Pattern.compile(regex.toString(), Pattern.DOTALL));
    }
  }
}
