package io.gpdb.sql.change;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.parser.StatementNode;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.jspecify.annotations.Nullable;

/** The list of RETURNING as a query over the rows of the table that is changed. */
public final class ReturningList {
  private ReturningList() {}

  /** Of a change that is not yet analysed, which may change its tree. */
  public static SqlNode of(SqlNode change, SqlNodeList items, CatalogSnapshot catalog) {
    SqlNode target = target(change);
    SqlIdentifier alias = alias(change);
    TargetRows rows = TargetRows.named(target, alias, catalog);
    return QueryConversion.select(items, rows.stored(rows.alias()), null);
  }

  private static SqlNode target(SqlNode change) {
    if (change instanceof SqlInsert insert) {
      return insert.getTargetTable();
    }
    return switch (statement(change)) {
      case ParsedStatement.InsertOverriding i -> i.insert().getTargetTable();
      case ParsedStatement.InsertDefaults i -> i.name();
      case ParsedStatement.Upsert upsert -> upsert.name();
      case ParsedStatement.Update update -> update.name();
      case ParsedStatement.Delete delete -> delete.name();
      case ParsedStatement.Merge merge -> merge.name();
      case null, default ->
          throw new GpdbException(ErrorCode.NOT_SUPPORTED, "RETURNING of this statement");
    };
  }

  private static @Nullable SqlIdentifier alias(SqlNode change) {
    return switch (statement(change)) {
      case ParsedStatement.Upsert upsert -> upsert.alias();
      case ParsedStatement.Update update -> update.alias();
      case ParsedStatement.Delete delete -> delete.alias();
      case ParsedStatement.Merge merge -> merge.alias();
      case null, default -> null;
    };
  }

  private static @Nullable ParsedStatement statement(SqlNode change) {
    return change instanceof StatementNode node ? node.statement() : null;
  }
}
