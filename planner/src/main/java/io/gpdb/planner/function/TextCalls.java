package io.gpdb.planner.function;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.jspecify.annotations.Nullable;

/** Calls of {@link TextFunctions} whose arguments are not those of SQL; Calcite counts UTF-16. */
public final class TextCalls {
  private TextCalls() {}

  public static @Nullable RexNode concatenated(MethodCalls to, RexCall call) {
    List<RexNode> o = call.getOperands();
    boolean text = o.stream().allMatch(RexTypes::isText);
    if (!text && !o.stream().allMatch(RexTypes::isBinary)) {
      return null;
    }
    RexNode all = o.getFirst();
    for (RexNode next : o.subList(1, o.size())) {
      all = to.call(call.getType(), text ? "concat" : "concatBinary", all, next);
    }
    return all;
  }

  /** TRIM with its flag as two. */
  public static @Nullable RexNode trimmed(MethodCalls to, RexCall call) {
    List<RexNode> o = call.getOperands();
    if (o.size() != 3
        || !(o.get(0) instanceof RexLiteral literal)
        || !RexTypes.isText(o.get(1))
        || !RexTypes.isText(o.get(2))) {
      return null;
    }
    SqlTrimFunction.Flag flag = literal.getValueAs(SqlTrimFunction.Flag.class);
    return to.call(
        call.getType(),
        "trimmed",
        o.get(2),
        o.get(1),
        to.builder().makeLiteral(flag != SqlTrimFunction.Flag.TRAILING),
        to.builder().makeLiteral(flag != SqlTrimFunction.Flag.LEADING));
  }

  /** LTRIM or RTRIM with the characters to cut. */
  public static MethodForm trimmedOf(boolean before) {
    return (to, call) -> {
      List<RexNode> o = call.getOperands();
      return o.size() == 2 && o.stream().allMatch(RexTypes::isText)
          ? to.call(
              call.getType(), "trimmedOf", o.get(0), o.get(1), to.builder().makeLiteral(before))
          : null;
    };
  }

  /** LIKE, ILIKE or SIMILAR TO, where no escape is an empty one. */
  public static MethodForm like(String function, boolean negated) {
    return (to, call) -> {
      List<RexNode> o = call.getOperands();
      RelDataType type = call.getType();
      if (!o.stream().allMatch(RexTypes::isText)) {
        return null;
      }
      RexNode escape = o.size() > 2 ? o.get(2) : to.text("");
      RexNode like = to.call(type, function, o.get(0), o.get(1), escape);
      return negated ? to.builder().makeCall(SqlStdOperatorTable.NOT, like) : like;
    };
  }

  /** The length of a text in bytes of UTF-8 or of bytes, times a factor. */
  public static MethodForm bytes(int factor) {
    return (to, call) -> {
      RexNode value = call.getOperands().getFirst();
      if (!RexTypes.isText(value) && !RexTypes.isBinary(value)) {
        return null;
      }
      String method = RexTypes.isText(value) ? "bytesOfText" : "bytesOfBinary";
      return to.call(call.getType(), method, value, to.integer(factor));
    };
  }
}
