package io.gpdb.sql.change;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.catalog.NameResolution;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.syntax.TableNames;
import java.util.List;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** The target of a change as a table in the FROM of its query, where it has its row id. */
public record TargetRows(
    TableDef table, String alias, boolean isAliased, @Nullable UpdatableView view) {
  private static final SqlParserPos NOWHERE = SqlParserPos.ZERO;

  /** Those of the table or view of that name. */
  static TargetRows named(SqlNode name, @Nullable SqlIdentifier alias, CatalogSnapshot catalog) {
    UpdatableView view = UpdatableView.named(name, catalog);
    return view == null ? of(TableNames.table(name, catalog), alias) : of(view, alias);
  }

  static TargetRows of(TableDef table, @Nullable SqlIdentifier alias) {
    return new TargetRows(
        table, alias == null ? table.name() : alias.getSimple(), alias != null, null);
  }

  /** Those of a view. */
  static TargetRows of(UpdatableView view, @Nullable SqlIdentifier alias) {
    return new TargetRows(
        view.table(), alias == null ? view.name().name() : alias.getSimple(), alias != null, view);
  }

  /** The name that a column of the table has here. */
  String column(int column) {
    return view == null ? table.column(column).name() : ViewLevel.hidden(column);
  }

  SqlNode rowId() {
    return new SqlIdentifier(List.of(alias, GpTable.ROW_ID), NOWHERE);
  }

  /** All columns that a statement sees. */
  List<String> columnNames() {
    return view == null
        ? table.columns().stream().map(ColumnDef::name).toList()
        : view.columnNames();
  }

  SqlNode from() {
    return aliased(view == null ? tableRows() : view.rows());
  }

  /** All rows of the table, also those that a view does not show. */
  SqlNode allRows() {
    return aliased(view == null ? tableRows() : view.allRows());
  }

  private SqlNode tableRows() {
    return new SqlIdentifier(
        List.of(NameResolution.rowsSchema(table.schema()), table.name()), NOWHERE);
  }

  /** The rows as INSERT and RETURNING know them, without row ids. */
  SqlNode stored(String name) {
    SqlIdentifier as = new SqlIdentifier(name, NOWHERE);
    if (view != null) {
      return view.returned(as);
    }
    SqlNode rows = new SqlIdentifier(List.of(table.schema(), table.name()), NOWHERE);
    return SqlStdOperatorTable.AS.createCall(NOWHERE, rows, as);
  }

  private SqlNode aliased(SqlNode rows) {
    return SqlStdOperatorTable.AS.createCall(NOWHERE, rows, new SqlIdentifier(alias, NOWHERE));
  }

  /** An expression in which columns of the target are not named with its schema. */
  SqlNode named(SqlNode node) {
    if (isAliased) {
      return node;
    }
    return TargetNames.inValue(node, view == null ? table.fullName() : view.name());
  }

  /** The target beside other tables. */
  SqlNode besides(@Nullable SqlNode others) {
    return others == null ? from() : join(from(), JoinType.COMMA, others, null);
  }

  static SqlNode join(SqlNode left, JoinType type, SqlNode right, @Nullable SqlNode condition) {
    return new SqlJoin(
        NOWHERE,
        left,
        SqlLiteral.createBoolean(false, NOWHERE),
        type.symbol(NOWHERE),
        right,
        (condition == null ? JoinConditionType.NONE : JoinConditionType.ON).symbol(NOWHERE),
        condition);
  }

  /** The query with the ORDER BY and LIMIT of another, and WITH before it. */
  static SqlNode whole(@Nullable SqlNodeList with, SqlNode query, @Nullable SqlNode limited) {
    SqlNode rows =
        limited instanceof SqlOrderBy order
            ? new SqlOrderBy(
                order.getParserPosition(), query, order.orderList, order.offset, order.fetch)
            : query;
    return with == null ? rows : new SqlWith(with.getParserPosition(), with, rows);
  }
}
