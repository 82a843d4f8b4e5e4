package io.gpdb.planner.bridge;

import java.util.List;
import java.util.Locale;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Calls of functions that lengthen strings, as calls of {@link BridgeStrings}. */
final class StringRewrite {
  private final ExpressionRewrite rewrite;

  StringRewrite(ExpressionRewrite rewrite) {
    this.rewrite = rewrite;
  }

  @Nullable RexNode rewrite(RexCall call, List<RexNode> o) {
    RelDataType type = call.getType();
    return switch (call.getOperator().getName().toUpperCase(Locale.ROOT)) {
      case "||", "CONCAT" -> concatenated(call, o);
      case "REPEAT" -> repeated(type, o);
      case "LPAD" -> padded(type, "lpad", o);
      case "RPAD" -> padded(type, "rpad", o);
      case "REPLACE" ->
          o.size() == 3 && o.stream().allMatch(StringRewrite::isText)
              ? rewrite.call(type, "replace", o.get(0), o.get(1), o.get(2))
              : null;
      default -> null;
    };
  }

  private @Nullable RexNode concatenated(RexCall call, List<RexNode> o) {
    boolean text = o.stream().allMatch(StringRewrite::isText);
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

  private @Nullable RexNode repeated(RelDataType type, List<RexNode> o) {
    RexNode count = isText(o.get(0)) ? count(o) : null;
    return count == null ? null : rewrite.call(type, "repeat", o.get(0), count);
  }

  private @Nullable RexNode padded(RelDataType type, String function, List<RexNode> o) {
    RexNode count = isText(o.get(0)) ? count(o) : null;
    if (count == null) {
      return null;
    }
    return o.size() == 2
        ? rewrite.call(type, function, o.get(0), count)
        : rewrite.call(type, function + "With", o.get(0), count, o.get(2));
  }

  private @Nullable RexNode count(List<RexNode> o) {
    RexNode count = o.get(1);
    RelDataType type = rewrite.type(SqlTypeName.INTEGER, count.getType().isNullable());
    return switch (count.getType().getSqlTypeName()) {
      case INTEGER -> count;
      case NULL -> rewrite.builder().makeNullLiteral(type);
      default -> new CastRewrite(rewrite).cast(type, count.getType(), count);
    };
  }

  private static boolean isText(RexNode value) {
    return SqlTypeName.CHAR_TYPES.contains(value.getType().getSqlTypeName());
  }

  private static boolean isBinary(RexNode value) {
    return SqlTypeName.BINARY_TYPES.contains(value.getType().getSqlTypeName());
  }
}
