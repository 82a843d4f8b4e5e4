package io.gpdb.sql.validation;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/** Types of the lists of IN, ANY and ALL. */
final class ListTypes {
  private ListTypes() {}

  /** The type of the values of a list, NULL and parameters apart; null where they have none. */
  static @Nullable RelDataType common(
      SqlValidator validator, SqlValidatorScope scope, SqlNodeList list) {
    List<RelDataType> types = new ArrayList<>();
    boolean nullable = false;
    for (SqlNode node : list) {
      if (SqlUtil.isNullLiteral(node, false) || node instanceof SqlDynamicParam) {
        nullable = true;
      } else {
        types.add(validator.deriveType(scope, node));
      }
    }
    RelDataTypeFactory factory = validator.getTypeFactory();
    RelDataType common = types.isEmpty() ? null : factory.leastRestrictive(types);
    return common == null
        ? null
        : factory.createTypeWithNullability(common, nullable || common.isNullable());
  }
}
