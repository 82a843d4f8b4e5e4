package io.gpdb.sql.conversion;

import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.validate.SqlValidator;
import org.jspecify.annotations.Nullable;

/** Tells the queries whose rows are rows of one table, each at most once. */
public final class RowsOfTable {
  private RowsOfTable() {}

  static boolean are(SqlNode validated, SqlValidator validator) {
    return validated instanceof SqlSelect select
        && isTable(select.getFrom())
        && !select.isDistinct()
        && select.getGroup() == null
        && select.getHaving() == null
        && select.getQualify() == null
        && !validator.isAggregate(select);
  }

  /** Whether it is a name, which may have another one here. */
  private static boolean isTable(@Nullable SqlNode from) {
    if (from != null && from.getKind() == SqlKind.AS && from instanceof SqlCall renamed) {
      return renamed.operandCount() == 2 && renamed.operand(0) instanceof SqlIdentifier;
    }
    return from instanceof SqlIdentifier;
  }
}
