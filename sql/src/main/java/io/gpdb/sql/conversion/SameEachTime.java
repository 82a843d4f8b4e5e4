package io.gpdb.sql.conversion;

import java.util.Set;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexVisitorImpl;
import org.jspecify.annotations.Nullable;

/** Finds what differs from one execution to the next: the time. */
public final class SameEachTime {
  private static final Set<String> CLOCK =
      Set.of(
          "CURRENT_TIMESTAMP",
          "LOCALTIMESTAMP",
          "CURRENT_TIME",
          "LOCALTIME",
          "CURRENT_DATE",
          "NOW");

  private SameEachTime() {}

  static boolean isNot(RexNode expression) {
    boolean[] found = {false};
    expression.accept(
        new RexVisitorImpl<@Nullable Void>(true) {
          @Override
          public @Nullable Void visitCall(RexCall call) {
            found[0] |=
                CLOCK.contains(call.getOperator().getName())
                    || call.getOperator().isDynamicFunction();
            return super.visitCall(call);
          }
        });
    return found[0];
  }
}
