package io.gpdb.sql.validation;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.validate.SqlValidator;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a date or time and an interval where one column or value is to be both. To Calcite they
 * have the type of the former, which is right for their sum alone, and would read the interval's
 * number as a day or time.
 */
public final class MixedIntervals extends SqlBasicVisitor<@Nullable Void> {
  private final SqlValidator validator;

  private MixedIntervals(SqlValidator validator) {
    this.validator = validator;
  }

  /** Raises 42804 where a validated query mixes them. */
  public static void refuse(SqlValidator validator, SqlNode validated) {
    validated.accept(new MixedIntervals(validator));
  }

  @Override
  public @Nullable Void visit(SqlCall call) {
    if (call instanceof SqlCase choice) {
      List<SqlNode> results = new ArrayList<>(choice.getThenOperands());
      SqlNode otherwise = choice.getElseOperand();
      if (otherwise != null) {
        results.add(otherwise);
      }
      require(call, types(results));
    } else if (SqlKind.SET_QUERY.contains(call.getKind())) {
      requireColumns(call, types(call.getOperandList()));
    } else if (call.getKind() == SqlKind.VALUES) {
      requireRows(call);
    }
    return super.visit(call);
  }

  private List<RelDataType> types(List<SqlNode> nodes) {
    List<RelDataType> types = new ArrayList<>();
    for (SqlNode node : nodes) {
      RelDataType type = validator.getValidatedNodeTypeIfKnown(node);
      if (type != null) {
        types.add(type);
      }
    }
    return types;
  }

  private void requireColumns(SqlCall call, List<RelDataType> rows) {
    int columns = rows.stream().mapToInt(RelDataType::getFieldCount).min().orElse(0);
    for (int c = 0; c < columns; c++) {
      int column = c;
      require(call, rows.stream().map(row -> row.getFieldList().get(column).getType()).toList());
    }
  }

  private void requireRows(SqlCall values) {
    List<SqlNode> rows = values.getOperandList();
    int columns =
        rows.stream()
            .mapToInt(row -> row instanceof SqlCall call ? call.operandCount() : 0)
            .min()
            .orElse(0);
    for (int c = 0; c < columns; c++) {
      List<SqlNode> column = new ArrayList<>();
      for (SqlNode row : rows) {
        column.add(((SqlCall) row).operand(c));
      }
      require(values, types(column));
    }
  }

  private static void require(SqlCall call, List<RelDataType> types) {
    if (types.stream().anyMatch(SqlTypeUtil::isInterval)
        && types.stream().anyMatch(SqlTypeUtil::isDatetime)) {
      throw new GpdbException(
          SqlCondition.TYPE_MISMATCH,
          "a date or time and an interval have no common type" + TableNames.at(call));
    }
  }
}
