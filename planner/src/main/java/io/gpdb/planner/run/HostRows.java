package io.gpdb.planner.run;

import io.gpdb.planner.expression.WholeExpressions;
import java.util.List;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;

/**
 * Up to how many rows of an input the host does what kernels could; 0 for none.
 *
 * @param any whatever is computed of them
 * @param whole where what is computed are whole numbers and truth values
 */
public record HostRows(int any, int whole) {
  /** The rows of an index, or of what is not stored. */
  public static HostRows ofFew() {
    return new HostRows(FewRows.ROWS_MAX, FewRows.ROWS_MAX);
  }

  /** Whether there are rows that the host would at least move. */
  public boolean isSome() {
    return whole > 0;
  }

  /** For an operator whose kernels take longer: those that group. */
  public HostRows ofGroups() {
    return new HostRows(any, isSome() ? FewRows.ROWS_MAX : 0);
  }

  /** For an operator that computes these expressions; columns may be of any type. */
  public int max(List<RexNode> nodes) {
    return areWhole(nodes) ? Math.max(any, whole) : any;
  }

  /** Whether kernels are sure to cover the expressions, and the host computes them of few rows. */
  public static boolean areWhole(List<RexNode> nodes) {
    for (RexNode node : nodes) {
      if (!(node instanceof RexInputRef) && !WholeExpressions.is(node)) {
        return false;
      }
    }
    return true;
  }
}
