package io.gpdb.sql.tree;

import com.google.common.collect.ImmutableSet;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Join;
import org.apache.calcite.rel.core.JoinRelType;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.logical.LogicalFilter;
import org.apache.calcite.rel.logical.LogicalJoin;
import org.apache.calcite.rel.logical.LogicalProject;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexSubQuery;
import org.apache.calcite.sql.validate.SqlValidatorUtil;

/**
 * Turns each {@link OuterValue} of a tree into a field of a correlation variable, which is set by
 * the node whose expression has the subquery. Every variable is used by one subquery, and its row
 * is that of the node.
 */
public final class BoundSubQueries extends RelHomogeneousShuttle {
  private BoundSubQueries() {}

  public static RelNode in(RelNode tree) {
    return tree.accept(new BoundSubQueries());
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode node = super.visit(other);
    Binding binding = new Binding(node);
    RelNode bound = node.accept(binding);
    if (binding.variables.isEmpty()) {
      return bound;
    }
    ImmutableSet<CorrelationId> variables =
        ImmutableSet.<CorrelationId>builder()
            .addAll(node.getVariablesSet())
            .addAll(binding.variables)
            .build();
    return switch (bound) {
      case Filter filter ->
          LogicalFilter.create(filter.getInput(), filter.getCondition(), variables);
      case Project project ->
          LogicalProject.create(
              project.getInput(),
              project.getHints(),
              project.getProjects(),
              project.getRowType(),
              variables);
      case Join join ->
          LogicalJoin.create(
              join.getLeft(),
              join.getRight(),
              join.getHints(),
              join.getCondition(),
              variables,
              join.getJoinType());
      default ->
          throw new GpdbException(
              ErrorCode.NOT_SUPPORTED,
              "a subquery that refers to an outer row in " + other.getRelTypeName());
    };
  }

  /** Binds the subqueries of one node's expressions to the rows that these see. */
  private final class Binding extends RexShuttle {
    private final RelNode node;
    private final RexBuilder builder;
    private final Set<CorrelationId> variables = new HashSet<>();

    Binding(RelNode node) {
      this.node = node;
      builder = node.getCluster().getRexBuilder();
    }

    @Override
    public RexNode visitSubQuery(RexSubQuery query) {
      RexSubQuery own = (RexSubQuery) super.visitSubQuery(query);
      return own.clone(own.rel.accept(BoundSubQueries.this));
    }

    @Override
    public RexNode visitCall(RexCall call) {
      if (!(call.getOperator() instanceof OuterValue outer) || !outer.binds()) {
        return super.visitCall(call);
      }
      CorrelationId variable = node.getCluster().createCorrel();
      RexNode row = builder.makeCorrel(row(), variable);
      Map<Integer, RexNode> values = new HashMap<>();
      for (int i = 0; i < outer.numbers().size(); i++) {
        RexNode column = call.getOperands().get(i + 1).accept(this);
        values.put(outer.numbers().get(i), column.accept(new FieldsOf(row)));
      }
      variables.add(variable);
      return call.getOperands().getFirst().accept(new Replacement(values)).accept(this);
    }

    private RelDataType row() {
      if (node instanceof Join join) {
        return SqlValidatorUtil.deriveJoinRowType(
            join.getLeft().getRowType(),
            join.getRight().getRowType(),
            JoinRelType.INNER,
            node.getCluster().getTypeFactory(),
            null,
            List.of());
      }
      return node.getInput(0).getRowType();
    }

    /** Columns as fields of a variable. */
    private final class FieldsOf extends RexShuttle {
      private final RexNode row;

      FieldsOf(RexNode row) {
        this.row = row;
      }

      @Override
      public RexNode visitInputRef(RexInputRef column) {
        return builder.makeFieldAccess(row, column.getIndex());
      }
    }
  }

  /** Puts values in place of their numbers, however deep in a subquery. */
  private static final class Replacement extends QueryShuttle {
    private final Map<Integer, RexNode> values;

    Replacement(Map<Integer, RexNode> values) {
      this.values = values;
    }

    @Override
    public RexNode visitCall(RexCall call) {
      if (!(call.getOperator() instanceof OuterValue outer) || outer.binds()) {
        return super.visitCall(call);
      }
      RexNode value = values.get(outer.numbers().getFirst());
      if (value == null) {
        return call;
      }
      if (value.getType().isNullable() && !call.getType().isNullable()) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED, "a subquery that refers to a column that can be NULL there");
      }
      return value;
    }
  }
}
