package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.TableDef;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.parser.StatementNode;
import io.gpdb.sql.validation.TableNames;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** The list of RETURNING as a query over the rows of the table that is changed. */
final class ReturningList {
  private ReturningList() {}

  /** Of a change that is not yet analysed, which may change its tree. */
  static SqlNode of(SqlNode change, SqlNodeList items, CatalogSnapshot catalog) {
    TableDef table = TableNames.table(target(change), catalog);
    SqlIdentifier alias = alias(change);
    SqlParserPos at = SqlParserPos.ZERO;
    SqlNode from =
        SqlStdOperatorTable.AS.createCall(
            at,
            new SqlIdentifier(List.of(table.schema(), table.name()), at),
            alias == null ? new SqlIdentifier(table.name(), at) : alias);
    return QueryConversion.select(items, from, null);
  }

  private static SqlNode target(SqlNode change) {
    return switch (change) {
      case SqlInsert insert -> insert.getTargetTable();
      case SqlUpdate update -> update.getTargetTable();
      case SqlDelete delete -> delete.getTargetTable();
      case StatementNode node when node.statement() instanceof ParsedStatement.InsertOverriding i ->
          i.insert().getTargetTable();
      case StatementNode node when node.statement() instanceof ParsedStatement.InsertDefaults i ->
          i.name();
      default -> throw new GpdbException(ErrorCode.NOT_SUPPORTED, "RETURNING of this statement");
    };
  }

  private static @Nullable SqlIdentifier alias(SqlNode change) {
    return switch (change) {
      case SqlUpdate update -> update.getAlias();
      case SqlDelete delete -> delete.getAlias();
      default -> null;
    };
  }
}
