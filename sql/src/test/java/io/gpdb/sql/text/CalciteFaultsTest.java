package io.gpdb.sql.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.error.ErrorCode;
import org.junit.jupiter.api.Test;

class CalciteFaultsTest {
  @Test
  void whatCalciteCannotTakeIsNotSupported() {
    RuntimeException calcites = new IllegalStateException("no such case");
    calcites.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement("java.util.Objects", "requireNonNull", "Objects.java", 1),
          new StackTraceElement("org.apache.calcite.rex.RexSimplify", "not", "RexSimplify.java", 1)
        });
    assertThat(CalciteFaults.of(calcites).code()).isEqualTo(ErrorCode.NOT_SUPPORTED);
  }

  /** Where a fault comes from is read from names, which the packed driver has others of. */
  @Test
  void calciteIsKnownUnderItsNameInThePackedDriver() {
    RuntimeException calcites = new ClassCastException("no such join");
    String shaded = "io.gpdb.shaded.";
    calcites.setStackTrace(
        new StackTraceElement[] {
          new StackTraceElement(shaded + "com.google.common.base.Preconditions", "check", "P", 1),
          new StackTraceElement(shaded + "org.apache.calcite.plan.RelOptUtil", "push", "R", 1)
        });
    assertThat(CalciteFaults.of(calcites).code()).isEqualTo(ErrorCode.NOT_SUPPORTED);
  }

  @Test
  void aFaultOfOurOwnIsInternal() {
    assertThat(CalciteFaults.of(new IllegalStateException("x")).code())
        .isEqualTo(ErrorCode.INTERNAL);
  }

  @Test
  void whatCompiledCodeThrowsWithoutATraceWasThrownWithOneBefore() {
    RuntimeException repeated = new ArrayIndexOutOfBoundsException();
    repeated.setStackTrace(new StackTraceElement[0]);
    assertThat(CalciteFaults.of(repeated).code()).isEqualTo(ErrorCode.NOT_SUPPORTED);
  }
}
