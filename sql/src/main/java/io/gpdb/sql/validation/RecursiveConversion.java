package io.gpdb.sql.validation;

import java.util.Map;
import org.apache.calcite.plan.RelOptCluster;
import org.apache.calcite.plan.RelOptTable;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.prepare.CalciteCatalogReader;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.RepeatUnion;
import org.apache.calcite.rel.core.Spool;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.logical.LogicalRepeatUnion;
import org.apache.calcite.rel.logical.LogicalTableSpool;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.schema.TransientTable;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSetOperator;
import org.apache.calcite.sql.SqlWithItem;
import org.apache.calcite.sql.validate.SqlValidatorNamespace;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.apache.calcite.sql2rel.SqlToRelConverter;
import org.jspecify.annotations.Nullable;

/**
 * Calcite's conversion, with seed and step of a recursion cast to the types of its table, and
 * subqueries of IN made {@linkplain NullableMembership nullable}.
 */
public final class RecursiveConversion extends SqlToRelConverter {
  private final GpValidator types;

  public RecursiveConversion(
      GpValidator validator, CalciteCatalogReader reader, RelOptCluster cluster, Config config) {
    super(
        (type, query, schema, view) -> {
          throw new UnsupportedOperationException("views");
        },
        validator,
        reader,
        cluster,
        GpConvertlets.INSTANCE,
        config);
    this.types = validator;
  }

  @Override
  protected Blackboard createBlackboard(
      SqlValidatorScope scope, @Nullable Map<String, RexNode> names, boolean top) {
    return new Blackboard(scope, names, top) {
      @Override
      public RexNode convertExpression(SqlNode expression) {
        return NullableMembership.of(super.convertExpression(expression), rexBuilder);
      }
    };
  }

  @Override
  protected RelNode convertSetOp(SqlCall call) {
    String name = call.getKind() == SqlKind.UNION ? recursion(call) : null;
    if (name == null) {
      return super.convertSetOp(call);
    }
    RelDataType row = types.getValidatedNodeType(call);
    RelNode step = cast(call.operand(1), row);
    RelOptTable table = table(step, name);
    return table == null
        ? super.convertSetOp(call)
        : LogicalRepeatUnion.create(
            spool(cast(call.operand(0), row), table),
            spool(step, table),
            ((SqlSetOperator) call.getOperator()).isAll(),
            -1, // iterations without limit
            table);
  }

  private static RelNode spool(RelNode rows, RelOptTable table) {
    return LogicalTableSpool.create(rows, Spool.Type.LAZY, Spool.Type.LAZY, table);
  }

  /** The name of the recursive query that a union is; null for any other union. */
  private @Nullable String recursion(SqlCall union) {
    SqlValidatorNamespace namespace = types.getNamespace(union);
    SqlNode enclosing = namespace == null ? null : namespace.getEnclosingNode();
    return enclosing instanceof SqlWithItem item ? item.name.getSimple() : null;
  }

  private RelNode cast(SqlNode member, RelDataType row) {
    RelNode rows = convertQueryRecursive(member, false, null).project();
    return RelOptUtil.createCastRel(rows, row, true);
  }

  /** The table by which a step reads the rows of that recursion. */
  private static @Nullable RelOptTable table(RelNode tree, String name) {
    if (tree instanceof TableScan scan) {
      RelOptTable table = scan.getTable();
      boolean own =
          table.unwrap(TransientTable.class) != null
              && table.getQualifiedName().getLast().equals(name);
      return own ? table : null;
    }
    RelOptTable hidden = tree instanceof RepeatUnion inner ? inner.getTransientTable() : null;
    if (hidden != null && hidden.getQualifiedName().getLast().equals(name)) {
      return null; // what is called so in there is another
    }
    for (RelNode input : tree.getInputs()) {
      RelOptTable found = table(input, name);
      if (found != null) {
        return found;
      }
    }
    return null;
  }
}
