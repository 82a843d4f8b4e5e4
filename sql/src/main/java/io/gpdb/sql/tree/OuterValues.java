package io.gpdb.sql.tree;

import io.gpdb.sql.type.GpTypes;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntSupplier;
import org.apache.calcite.rel.core.CorrelationId;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCorrelVariable;
import org.apache.calcite.rex.RexFieldAccess;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * The fields of one outer row that a query reads, however deep in it, each replaced by a parameter
 * of its own.
 */
final class OuterValues extends QueryShuttle {
  private final Set<CorrelationId> variables;
  private final RelDataType row;
  private final IntSupplier numbers;
  private final Map<Integer, OuterParameter> bound = new TreeMap<>();

  /** The variables are rows of that type; the parameters take numbers from the supplier. */
  OuterValues(Set<CorrelationId> variables, RelDataType row, IntSupplier numbers) {
    this.variables = variables;
    this.row = row;
    this.numbers = numbers;
  }

  List<Integer> fields() {
    return List.copyOf(bound.keySet());
  }

  List<Integer> parameters() {
    List<Integer> parameters = new ArrayList<>();
    bound.values().forEach(parameter -> parameters.add(parameter.getIndex()));
    return parameters;
  }

  @Override
  public RexNode visitFieldAccess(RexFieldAccess access) {
    if (!(access.getReferenceExpr() instanceof RexCorrelVariable variable)
        || !variables.contains(variable.id)) {
      return super.visitFieldAccess(access);
    }
    int field = access.getField().getIndex();
    checkRow(variable, field, row);
    return bound.computeIfAbsent(
        field, _ -> new OuterParameter(access.getType(), numbers.getAsInt()));
  }

  /**
   * That the variable is a row of the node whose expression has the subquery. In LATERAL it is a
   * row of the whole FROM clause, which begins with the fields of what is to the left.
   */
  static void checkRow(RexCorrelVariable variable, int field, RelDataType row) {
    RelDataType type = variable.getType();
    boolean same = field < row.getFieldCount() && row.getFieldCount() <= type.getFieldCount();
    for (int i = 0; same && i < row.getFieldCount(); i++) {
      same =
          SqlTypeUtil.equalSansNullability(
              GpTypes.FACTORY,
              type.getFieldList().get(i).getType(),
              row.getFieldList().get(i).getType());
    }
    if (!same) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "a subquery here cannot refer to " + type.getFieldNames().get(field));
    }
  }
}
