package io.gpdb.planner.batch;

import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.host.HostCasts;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.dialect.KeptValue;
import io.gpdb.sql.dialect.RequiredValue;
import io.gpdb.sql.dialect.SequenceFunction;
import io.gpdb.sql.text.ResultNames;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import java.util.stream.Collectors;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/** Expressions as text for EXPLAIN, fields by their names. */
public final class RexText {
  private static final String UNNAMED = "an expression";

  private RexText() {}

  public static String of(List<RexNode> nodes, List<String> names) {
    return nodes.stream().map(n -> of(n, names)).collect(Collectors.joining(", ", "(", ")"));
  }

  public static String of(RexNode node, List<String> names) {
    return of(node, names, null);
  }

  /** A projection, behind a filter where there is one. */
  public static String projection(
      @Nullable RexNode filter, List<RexNode> outputs, List<String> names) {
    return (filter == null ? "project" : "filter " + of(filter, names) + ", project")
        + " "
        + of(outputs, names);
  }

  /** With the bound values in the places of the parameters, where there are any. */
  public static String of(RexNode node, List<String> names, @Nullable ParameterValues bound) {
    return switch (node) {
      case RexInputRef ref when ref.getIndex() < names.size() -> name(names.get(ref.getIndex()));
      case RexCall call -> call(call, names, bound);
      case RexLiteral literal -> literal(literal);
      case RexDynamicParam parameter when bound != null -> value(parameter, bound);
      case RexDynamicParam _ -> "?";
      case RexFieldAccess field -> name(field.getField().getName());
      default -> UNNAMED;
    };
  }

  /** A name that the statement has; Calcite makes up names with dollars. */
  static String name(String name) {
    String shown = ResultNames.shown(name);
    return shown.startsWith("$") ? UNNAMED : shown;
  }

  private static String literal(RexLiteral literal) {
    if (literal.getTypeName() == SqlTypeName.SYMBOL) {
      return String.valueOf(literal.getValue());
    }
    try {
      return HostCasts.shown(RexValues.literal(literal), RexValues.spec(literal.getType()));
    } catch (NotCovered e) {
      return UNNAMED;
    }
  }

  private static String value(RexDynamicParam parameter, ParameterValues bound) {
    try {
      SqlTypeSpec type = RexValues.spec(parameter.getType());
      return HostCasts.shown(RexValues.value(bound, parameter.getIndex(), type), type);
    } catch (NotCovered e) {
      return "?";
    }
  }

  private static String call(RexCall call, List<String> names, @Nullable ParameterValues bound) {
    List<String> operands = call.getOperands().stream().map(o -> of(o, names, bound)).toList();
    String name = call.getOperator().getName();
    if (KeptValue.is(call) || name.equals(RequiredValue.NAME)) {
      return operands.getFirst();
    }
    if (call.getKind() == SqlKind.CAST) {
      return "CAST(" + operands.getFirst() + " AS " + call.getType() + ")";
    }
    if (call.getOperator() instanceof SequenceFunction function) {
      return function.text();
    }
    switch (call.getKind()) {
      case CASE -> {
        return choice(operands);
      }
      case EXTRACT -> {
        return "EXTRACT(" + String.join(" FROM ", operands) + ")";
      }
      case LIKE -> {
        String escape = operands.size() > 2 ? " ESCAPE " + operands.get(2) : "";
        return "(" + operands.get(0) + " " + name + " " + operands.get(1) + escape + ")";
      }
      default -> {}
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

  private static String choice(List<String> operands) {
    StringBuilder text = new StringBuilder("CASE");
    for (int i = 0; i + 1 < operands.size(); i += 2) {
      text.append(" WHEN ").append(operands.get(i)).append(" THEN ").append(operands.get(i + 1));
    }
    return text.append(" ELSE ").append(operands.getLast()).append(" END").toString();
  }
}
