package io.gpdb.sql.syntax;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * Copies nodes so that no two places of a statement share one. Calcite writes COALESCE(a, b) as
 * CASE with two copies of a that share their operands. Names in a shared query mean what the place
 * registered last says, so those of the other place would be columns of no row, or of a wrong one.
 */
public final class OwnNodes extends SqlShuttle {
  private final Set<SqlNode> taken = Collections.newSetFromMap(new IdentityHashMap<>());

  /** Copies of calls in one statement. */
  private static final int COPIES_MAX = 1_000_000;

  private int copies;

  /** How many calls around are copied; above 0 all is. */
  private int copying;

  private OwnNodes(int copying) {
    this.copying = copying;
  }

  public static @Nullable SqlNode of(SqlNode statement) {
    return statement.accept(new OwnNodes(0));
  }

  /** A copy of the whole tree, for a validator, which changes names and calls in place. */
  public static SqlNode copy(SqlNode tree) {
    return Objects.requireNonNull(tree.accept(new OwnNodes(1)));
  }

  /**
   * Copies the subqueries in what CASE x WHEN … compares, which the parser puts in each comparison:
   * Calcite changes a query in place when it rewrites it.
   */
  public static void separateQueries(SqlCase choice) {
    SqlNodeList conditions = choice.getWhenOperands();
    SqlNode first = compared(conditions.get(0));
    if (first == null || !NodeSearch.hasQuery(first)) {
      return;
    }
    for (int i = 1; i < conditions.size(); i++) {
      if (first.equals(compared(conditions.get(i)))) {
        ((SqlCall) conditions.get(i)).setOperand(0, copy(first));
      }
    }
  }

  private static @Nullable SqlNode compared(SqlNode condition) {
    return condition instanceof SqlCall call && call.operandCount() > 0 ? call.operand(0) : null;
  }

  @Override
  public @Nullable SqlNode visit(SqlIdentifier id) {
    return copying > 0 ? SqlNode.clone(id) : id;
  }

  @Override
  public @Nullable SqlNode visit(SqlCall call) {
    boolean known = !taken.add(call);
    copying += known ? 1 : 0;
    copies += copying > 0 ? 1 : 0;
    if (copies > COPIES_MAX) {
      throw new GpdbException(
          ErrorCode.TOO_COMPLEX,
          "the statement is too complex: NULLIF, COALESCE and the like within each other, written"
              + " as CASE, have more than "
              + COPIES_MAX
              + " operators");
    }
    CallCopyingArgHandler operands = new CallCopyingArgHandler(call, copying > 0);
    call.getOperator().acceptCall(this, call, false, operands);
    copying -= known ? 1 : 0;
    return operands.result();
  }

  @Override
  public @Nullable SqlNode visit(SqlNodeList list) {
    boolean known = !taken.add(list);
    copying += known ? 1 : 0;
    SqlNode own = copying > 0 ? copied(list) : super.visit(list);
    copying -= known ? 1 : 0;
    return own;
  }

  private SqlNodeList copied(SqlNodeList list) {
    SqlNodeList copy = new SqlNodeList(list.getParserPosition());
    list.forEach(node -> copy.add(node == null ? null : node.accept(this)));
    return copy;
  }
}
