package io.gpdb.planner.run;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** OFFSET and LIMIT, each a literal or a parameter. */
record RowLimit(@Nullable RexNode offset, @Nullable RexNode fetch) {
  long offset(Execution x) {
    return offset == null ? 0 : value(offset, x, "OFFSET");
  }

  /** How many rows at most; Long.MAX_VALUE without a limit. */
  long fetch(Execution x) {
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
          default -> throw new GpdbException(ErrorCode.NOT_SUPPORTED, what + " of an expression");
        };
    if (value < 0) {
      throw new GpdbException(ErrorCode.INVALID_ARGUMENT, what + " is negative: " + value);
    }
    return value;
  }

  /** More than a long holds is as good as no limit. */
  static long rows(RexLiteral literal) {
    BigDecimal value = literal.getValueAs(BigDecimal.class);
    return value == null ? 0 : value.min(BigDecimal.valueOf(Long.MAX_VALUE)).longValue();
  }

  String text() {
    return (fetch == null ? "" : "limit " + fetch) + (offset == null ? "" : " offset " + offset);
  }
}
