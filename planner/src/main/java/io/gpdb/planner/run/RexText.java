package io.gpdb.planner.run;

import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlSyntax;

/** Expressions as text for EXPLAIN, fields by their names. */
final class RexText {
  private RexText() {}

  static String of(List<RexNode> nodes, List<String> names) {
    return nodes.stream().map(n -> of(n, names)).collect(Collectors.joining(", ", "(", ")"));
  }

  static String of(RexNode node, List<String> names) {
    return switch (node) {
      case RexInputRef ref when ref.getIndex() < names.size() -> names.get(ref.getIndex());
      case RexCall call -> call(call, names);
      default -> node.toString();
    };
  }

  private static String call(RexCall call, List<String> names) {
    List<String> operands = call.getOperands().stream().map(o -> of(o, names)).toList();
    String name = call.getOperator().getName();
    if (call.getKind() == SqlKind.CAST) {
      return "CAST(" + operands.getFirst() + " AS " + call.getType() + ")";
    }
    SqlSyntax syntax = call.getOperator().getSyntax();
    if (syntax == SqlSyntax.BINARY && operands.size() >= 2) {
      return operands.stream().collect(Collectors.joining(" " + name + " ", "(", ")"));
    }
    if (syntax == SqlSyntax.POSTFIX && operands.size() == 1) {
      return operands.getFirst() + " " + name;
    }
    return name + operands.stream().collect(Collectors.joining(", ", "(", ")"));
  }
}
