package io.gpdb.planner.expression.compiler;

import io.gpdb.planner.expression.host.HostForm;
import io.gpdb.planner.expression.kernel.KernelForm;
import io.gpdb.planner.function.MethodCalls;
import io.gpdb.planner.function.MethodForm;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.jspecify.annotations.Nullable;

/**
 * A function or operator of SQL, and the ways to compute it.
 *
 * @param name as its operator has it
 * @param strict whether a NULL among its arguments makes it NULL
 * @param raises whether it raises an error for some arguments
 * @param opaque whether Calcite's own takes dates and times as they are, because it only passes or
 *     compares them
 * @param onHost whether the host may call the methods for every string of a dictionary, and not row
 *     by row alone
 * @param kernel in kernels
 * @param host on the host, instead of the methods
 * @param methods on the host, as calls of static methods
 */
public record ScalarFunction(
    String name,
    boolean strict,
    boolean raises,
    boolean opaque,
    boolean onHost,
    @Nullable KernelForm kernel,
    @Nullable HostForm host,
    @Nullable MethodForm methods) {

  /** One that is NULL where an argument is. */
  static ScalarFunction strict(String name) {
    return new ScalarFunction(name, true, false, false, true, null, null, null);
  }

  /** One that has a value for NULL, or does not need all of its arguments. */
  static ScalarFunction lenient(String name) {
    return new ScalarFunction(name, false, false, false, true, null, null, null);
  }

  ScalarFunction raising() {
    return new ScalarFunction(name, strict, true, opaque, onHost, kernel, host, methods);
  }

  ScalarFunction passing() {
    return new ScalarFunction(name, strict, raises, true, onHost, kernel, host, methods);
  }

  ScalarFunction lengthening() {
    return new ScalarFunction(name, strict, raises, opaque, false, kernel, host, methods);
  }

  ScalarFunction kernel(KernelForm form) {
    return new ScalarFunction(name, strict, raises, opaque, onHost, form, host, methods);
  }

  ScalarFunction host(HostForm form) {
    return new ScalarFunction(name, strict, raises, opaque, onHost, kernel, form, methods);
  }

  ScalarFunction methods(MethodForm form) {
    return new ScalarFunction(name, strict, raises, opaque, onHost, kernel, host, form);
  }

  ScalarFunction method(String method) {
    return methods(MethodForm.method(method));
  }

  /** The call as calls of methods; null where there are none for it. */
  public @Nullable RexNode calls(MethodCalls to, RexCall call) {
    return methods == null ? null : methods.of(to, call);
  }
}
