package io.gpdb.planner.bridge;

import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Calls of string functions as calls of {@link BridgeStrings}; Calcite counts UTF-16 units. */
final class StringRewrite {
  private final BridgeExpressions rewrite;

  StringRewrite(BridgeExpressions rewrite) {
    this.rewrite = rewrite;
  }

  @Nullable RexNode rewrite(RexCall call, List<RexNode> o) {
    if (isOrder(call.getKind()) && o.stream().allMatch(BridgeExpressions::isText)) {
      return call.clone(call.getType(), o.stream().map(rewrite::asOrder).toList());
    }
    RelDataType type = call.getType();
    String name = call.getOperator().getName().toUpperCase(Locale.ROOT);
    if (name.equals("||") || name.equals("CONCAT")) {
      return concatenated(call, o);
    }
    if (name.equals("CHR")) {
      return rewrite.call(type, "character", number(o.get(0)));
    }
    if (name.equals("TRIM")) {
      return trimmed(type, o);
    }
    return o.isEmpty() || !BridgeExpressions.isText(o.get(0)) ? null : ofText(name, type, o);
  }

  private @Nullable RexNode ofText(String name, RelDataType type, List<RexNode> o) {
    return switch (name) {
      case "CHAR_LENGTH", "CHARACTER_LENGTH", "LENGTH" -> rewrite.call(type, "lengthOf", o.get(0));
      case "LEFT" -> rewrite.call(type, "leftOf", o.get(0), number(o.get(1)));
      case "RIGHT" -> rewrite.call(type, "rightOf", o.get(0), number(o.get(1)));
      case "SUBSTRING", "SUBSTR" -> substring(type, o);
      case "POSITION" -> position(type, o);
      case "STRPOS" -> rewrite.call(type, "positionOf", o.get(1), o.get(0));
      case "OVERLAY" -> overlaid(type, o);
      case "REVERSE" -> rewrite.call(type, "reversed", o.get(0));
      case "ASCII" -> rewrite.call(type, "firstCharacter", o.get(0));
      case "INITCAP" -> rewrite.call(type, "capitalized", o.get(0));
      case "LIKE" -> like(type, "like", o);
      case "NOT LIKE" -> not(like(type, "like", o));
      case "ILIKE" -> like(type, "likeInAnyCase", o);
      case "NOT ILIKE" -> not(like(type, "likeInAnyCase", o));
      case "REPEAT" -> repeated(type, o);
      case "LTRIM" -> trimmedOf(type, o, true);
      case "RTRIM" -> trimmedOf(type, o, false);
      case "LPAD" -> padded(type, "lpad", o);
      case "RPAD" -> padded(type, "rpad", o);
      case "REPLACE" ->
          o.size() == 3 && o.stream().allMatch(BridgeExpressions::isText)
              ? rewrite.call(type, "replace", o.get(0), o.get(1), o.get(2))
              : null;
      default -> null;
    };
  }

  private static boolean isOrder(SqlKind kind) {
    return switch (kind) {
      case LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL -> true;
      default -> false;
    };
  }

  private @Nullable RexNode concatenated(RexCall call, List<RexNode> o) {
    boolean text = o.stream().allMatch(BridgeExpressions::isText);
    boolean binary = o.stream().allMatch(StringRewrite::isBinary);
    if (!text && !binary) {
      return null;
    }
    RexNode all = o.getFirst();
    for (RexNode next : o.subList(1, o.size())) {
      all = rewrite.call(call.getType(), text ? "concat" : "concatBinary", all, next);
    }
    return all;
  }

  private RexNode substring(RelDataType type, List<RexNode> o) {
    return o.size() == 2
        ? rewrite.call(type, "substringFrom", o.get(0), number(o.get(1)))
        : rewrite.call(type, "substringFor", o.get(0), number(o.get(1)), number(o.get(2)));
  }

  private RexNode position(RelDataType type, List<RexNode> o) {
    return o.size() == 2
        ? rewrite.call(type, "positionOf", o.get(0), o.get(1))
        : rewrite.call(type, "positionFrom", o.get(0), o.get(1), number(o.get(2)));
  }

  private RexNode overlaid(RelDataType type, List<RexNode> o) {
    return o.size() == 3
        ? rewrite.call(type, "overlay", o.get(0), o.get(1), number(o.get(2)))
        : rewrite.call(type, "overlayFor", o.get(0), o.get(1), number(o.get(2)), number(o.get(3)));
  }

  private @Nullable RexNode trimmed(RelDataType type, List<RexNode> o) {
    if (o.size() != 3
        || !(o.get(0) instanceof RexLiteral literal)
        || !BridgeExpressions.isText(o.get(2))) {
      return null;
    }
    SqlTrimFunction.Flag flag = literal.getValueAs(SqlTrimFunction.Flag.class);
    return rewrite.call(
        type,
        "trimmed",
        o.get(2),
        o.get(1),
        rewrite.builder().makeLiteral(flag != SqlTrimFunction.Flag.TRAILING),
        rewrite.builder().makeLiteral(flag != SqlTrimFunction.Flag.LEADING));
  }

  private @Nullable RexNode trimmedOf(RelDataType type, List<RexNode> o, boolean before) {
    return o.size() == 2
        ? rewrite.call(type, "trimmedOf", o.get(0), o.get(1), rewrite.builder().makeLiteral(before))
        : null;
  }

  private RexNode like(RelDataType type, String function, List<RexNode> o) {
    RexNode escape = o.size() > 2 ? o.get(2) : rewrite.text("");
    return rewrite.call(type, function, o.get(0), o.get(1), escape);
  }

  private RexNode not(RexNode condition) {
    return rewrite
        .builder()
        .makeCall(org.apache.calcite.sql.fun.SqlStdOperatorTable.NOT, condition);
  }

  private @Nullable RexNode repeated(RelDataType type, List<RexNode> o) {
    return rewrite.call(type, "repeat", o.get(0), count(o.get(1)));
  }

  private RexNode padded(RelDataType type, String function, List<RexNode> o) {
    return o.size() == 2
        ? rewrite.call(type, function, o.get(0), number(o.get(1)))
        : rewrite.call(type, function + "With", o.get(0), number(o.get(1)), o.get(2));
  }

  private RexNode count(RexNode count) {
    return as(SqlTypeName.INTEGER, count);
  }

  private RexNode number(RexNode number) {
    return BridgeExpressions.isInteger(number.getType())
        ? rewrite.asLong(number)
        : as(SqlTypeName.BIGINT, number);
  }

  private RexNode as(SqlTypeName name, RexNode number) {
    RelDataType type = rewrite.type(name, number.getType().isNullable());
    if (number.getType().getSqlTypeName() == name) {
      return number;
    }
    if (number.getType().getSqlTypeName() == SqlTypeName.NULL) {
      return rewrite.builder().makeNullLiteral(type);
    }
    RexNode cast = new CastRewrite(rewrite).cast(type, number.getType(), number);
    return cast == null ? number : cast;
  }

  private static boolean isBinary(RexNode value) {
    return SqlTypeName.BINARY_TYPES.contains(value.getType().getSqlTypeName());
  }
}
