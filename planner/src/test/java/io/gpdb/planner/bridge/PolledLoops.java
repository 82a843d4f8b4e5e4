package io.gpdb.planner.bridge;

import io.gpdb.storage.error.StopSignal;
import java.util.List;
import org.apache.calcite.linq4j.tree.DeclarationStatement;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.ForStatement;
import org.apache.calcite.linq4j.tree.Shuttle;
import org.apache.calcite.linq4j.tree.Statement;
import org.apache.calcite.linq4j.tree.WhileStatement;

/** Puts a question whether to stop at the beginning of each loop's body. */
final class PolledLoops extends Shuttle {
  private static Statement polled(Statement body) {
    return Expressions.block(
        Expressions.statement(Expressions.call(StopSignal.class, "poll")), body);
  }

  @Override
  public ForStatement visit(
      ForStatement loop,
      List<DeclarationStatement> declarations,
      Expression condition,
      Expression post,
      Statement body) {
    return super.visit(loop, declarations, condition, post, polled(body));
  }

  @Override
  public Statement visit(WhileStatement loop, Expression condition, Statement body) {
    return super.visit(loop, condition, polled(body));
  }
}
