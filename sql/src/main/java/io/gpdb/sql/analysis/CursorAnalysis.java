package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.ParseErrors;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.parser.StatementNode;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import java.util.function.Function;
import java.util.function.Predicate;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * Cursors, and changes at their places. A cursor over rows of one table, without grouping, DISTINCT
 * and LIMIT, has their row ids in the last field; it may be changed unless it says otherwise.
 */
final class CursorAnalysis {
  private final SqlText text;
  private final CatalogSnapshot catalog;

  private final Predicate<SqlSelect> isAggregate;

  /**
   * @param isAggregate whether a query has aggregates in its select list
   */
  CursorAnalysis(SqlText text, CatalogSnapshot catalog, Predicate<SqlSelect> isAggregate) {
    this.text = text;
    this.catalog = catalog;
    this.isAggregate = isAggregate;
  }

  /**
   * @param plain analyses a query
   * @param withRowIds analyses one whose last field is the row id of its table
   */
  Analyzed declare(
      ParsedStatement.DeclareCursor declared,
      Function<SqlNode, Analyzed.Query> plain,
      Function<SqlNode, Analyzed.Query> withRowIds) {
    SqlNode query = declared.query();
    if (NodeSearch.hasParameter(query)) {
      throw ParseErrors.refused("a parameter of a cursor", query.getParserPosition());
    }
    TableDef table = Boolean.FALSE.equals(declared.changes()) ? null : changed(query);
    if (table == null && Boolean.TRUE.equals(declared.changes())) {
      throw ParseErrors.refused(
          "a cursor FOR UPDATE of rows that are not those of one table", query.getParserPosition());
    }
    return new Analyzed.DeclareCursor(
        declared.name().getSimple(),
        declared.scroll(),
        declared.hold(),
        text.sql(),
        (table == null ? plain : withRowIds).apply(query),
        table,
        table == null ? List.of() : columns(table, declared.columns()));
  }

  private static List<String> columns(TableDef table, @Nullable List<SqlIdentifier> named) {
    if (named == null) {
      return table.columns().stream().map(column -> column.name()).toList();
    }
    for (SqlIdentifier column : named) {
      if (table.indexOf(column.names.getLast()) < 0) {
        throw new GpdbException(
            SqlCondition.COLUMN_NOT_FOUND,
            "column " + column.names.getLast() + " does not exist" + TableNames.at(column));
      }
    }
    return named.stream().map(column -> column.names.getLast()).toList();
  }

  /** The table whose rows are those of the query; null where they are not, or not all. */
  private @Nullable TableDef changed(SqlNode query) {
    SqlNode rows = query;
    if (query instanceof SqlOrderBy order) {
      if (order.fetch != null || order.offset != null) {
        return null;
      }
      rows = order.query;
    }
    if (!(rows instanceof SqlSelect select)
        || select.isDistinct()
        || select.getGroup() != null
        || select.getHaving() != null
        || select.getQualify() != null
        || isAggregate.test(select)) {
      return null;
    }
    SqlNode from = select.getFrom();
    if (from != null && from.getKind() == SqlKind.AS && ((SqlCall) from).operandCount() == 2) {
      from = ((SqlCall) from).operand(0);
    }
    return from instanceof SqlIdentifier name ? table(name) : null;
  }

  private @Nullable TableDef table(SqlIdentifier name) {
    ObjectName found =
        switch (name.names.size()) {
          case 1 -> catalog.resolve(name.getSimple());
          case 2 -> new ObjectName(name.names.getFirst(), name.names.getLast());
          default -> null;
        };
    return found == null || catalog.view(found) != null ? null : catalog.table(found);
  }

  /** A change whose text up to WHERE stays. */
  Analyzed positioned(
      ParsedStatement.Positioned change, Function<StatementNode, Analyzed> analysis) {
    SqlParserPos where = change.where();
    String before = text.at(new SqlParserPos(1, 1, where.getLineNum(), where.getColumnNum()));
    return new Analyzed.Positioned(
        change.cursor().getSimple(),
        before.substring(0, before.length() - 1),
        change.alias(),
        analysis.apply(change.change()));
  }
}
