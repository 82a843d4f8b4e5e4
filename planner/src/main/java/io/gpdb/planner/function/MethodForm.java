package io.gpdb.planner.function;

import java.util.List;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/** A function of SQL by static methods, which the host calls. */
@FunctionalInterface
public interface MethodForm {
  /** The call by methods; null where there is none for its types. */
  @Nullable RexNode of(MethodCalls to, RexCall call);

  /** The method of that name that has as many parameters, of types that take the arguments. */
  static MethodForm method(String function) {
    return (to, call) -> {
      List<RexNode> arguments = call.getOperands();
      return to.takes(function, arguments) ? to.call(call.getType(), function, arguments) : null;
    };
  }

  /** The first argument itself. */
  static MethodForm argument() {
    return (to, call) -> call.getOperands().getFirst();
  }

  default MethodForm or(MethodForm other) {
    return (to, call) -> {
      RexNode own = of(to, call);
      return own == null ? other.of(to, call) : own;
    };
  }
}
