package io.gpdb.planner.batch;

import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.compiler.HostCompiler;
import io.gpdb.sql.dialect.GpRexBuilder;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** OFFSET and LIMIT: literals, parameters, or expressions over both. */
public record RowLimit(@Nullable RexNode offset, @Nullable RexNode fetch) {
  public long offset(Execution x) {
    return offset == null ? 0 : value(offset, x, "OFFSET");
  }

  /** How many rows at most; Long.MAX_VALUE without a limit. */
  public long fetch(Execution x) {
    return fetch == null ? Long.MAX_VALUE : value(fetch, x, "LIMIT");
  }

  private static long value(RexNode node, Execution x, String what) {
    long value =
        switch (node) {
          case RexLiteral literal -> rows(literal);
          case RexDynamicParam parameter -> {
            if (x.parameters().isNull(parameter.getIndex())) {
              throw new GpdbException(ErrorCode.INVALID_ARGUMENT, what + " is NULL");
            }
            yield x.parameters().raw(parameter.getIndex());
          }
          default -> computed(node, x, what);
        };
    if (value < 0) {
      throw new GpdbException(ErrorCode.INVALID_ARGUMENT, what + " is negative: " + value);
    }
    return value;
  }

  private static long computed(RexNode node, Execution x, String what) {
    try {
      Object value = new HostCompiler(new GpRexBuilder()).compile(node).evaluate(new NoRow(x));
      if (value instanceof Number rows) {
        return rows.longValue();
      }
    } catch (NotCovered e) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, what + " of an expression: " + e.getMessage(), e);
    }
    throw new GpdbException(ErrorCode.INVALID_ARGUMENT, what + " is NULL");
  }

  /** More than a long holds is as good as no limit. */
  public static long rows(RexLiteral literal) {
    if (literal.getValue() instanceof Double approximate) {
      return approximate.longValue(); // 1E400 is the largest long
    }
    BigDecimal value = literal.getValueAs(BigDecimal.class);
    return value == null ? 0 : value.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
  }

  public String text() {
    return (fetch == null ? "" : "limit " + fetch) + (offset == null ? "" : " offset " + offset);
  }
}
