package io.gpdb.sql.change;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.catalog.NameResolution;
import io.gpdb.sql.conversion.NodeCopy;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.SchemaPath;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.text.ResultNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * A view each row of which is one row of a table or of another such view, and whose columns are
 * plain columns of it: SELECT a, b AS x FROM t WHERE condition.
 *
 * @param source the columns of the table or view below, in the order of this view's columns
 * @param condition names the columns of what is below; null where all rows are shown
 * @param below null where the view is one of the table itself
 */
public record ViewLevel(
    ViewDef view,
    TableDef table,
    String alias,
    List<String> source,
    @Nullable SqlNode condition,
    @Nullable ViewLevel below) {
  private static final SqlParserPos NOWHERE = SqlParserPos.ZERO;

  /** Throws 0A000 where the view is none that can be changed. */
  static ViewLevel of(ViewDef view, CatalogSnapshot catalog) {
    return of(view, catalog, 0);
  }

  private static ViewLevel of(ViewDef view, CatalogSnapshot catalog, int depth) {
    if (depth == ViewExpansion.DEPTH_MAX) {
      throw refused(view, "it is nested too deeply");
    }
    SqlSelect select = select(view);
    CatalogSnapshot own = catalog.in(new SchemaPath(null, view.namesFrom()));
    SqlNode from = select.getFrom();
    SqlIdentifier name = name(from, view);
    ObjectName found =
        name.names.size() == 1
            ? own.resolve(name.getSimple())
            : new ObjectName(name.names.getFirst(), name.names.getLast());
    String alias =
        from instanceof SqlCall as
            ? ((SqlIdentifier) as.operand(1)).getSimple()
            : name.names.getLast();
    ViewDef lower = catalog.view(found);
    ViewLevel below = lower == null ? null : of(lower, catalog, depth + 1);
    TableDef table = below == null ? catalog.table(found) : below.table();
    if (table == null) {
      throw refused(view, found + " is no table");
    }
    List<ColumnDef> columns = lower == null ? table.columns() : lower.columns();
    List<String> names = columns.stream().map(ColumnDef::name).toList();
    SqlNode where = select.getWhere();
    return new ViewLevel(
        view,
        table,
        alias,
        source(view, select.getSelectList(), names),
        where == null ? null : named(where, found, from, own),
        below);
  }

  private static SqlSelect select(ViewDef view) {
    SqlText text = new SqlText(view.query());
    SqlNode query;
    try {
      query = text.statement();
    } catch (SqlParseException e) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, "the query of view " + view.fullName() + " cannot be read", e);
    }
    if (query instanceof SqlCall table && query.getKind() == SqlKind.EXPLICIT_TABLE) {
      SqlNodeList all = SqlNodeList.of(SqlIdentifier.star(NOWHERE));
      return QueryConversion.select(all, table.operand(0), null);
    }
    if (query instanceof SqlSelect select
        && !select.isDistinct()
        && select.getGroup() == null
        && select.getHaving() == null
        && select.getQualify() == null
        && select.getWindowList().isEmpty()
        && select.getOffset() == null
        && select.getFetch() == null) {
      ResultNames.nameExpressions(query, text);
      return select;
    }
    throw refused(view, "its query is more than columns of one table and a WHERE");
  }

  private static SqlIdentifier name(@Nullable SqlNode from, ViewDef view) {
    if (from instanceof SqlIdentifier name && name.names.size() <= 2) {
      return name;
    }
    if (from != null
        && from.getKind() == SqlKind.AS
        && from instanceof SqlCall as
        && as.operandCount() == 2
        && as.operand(0) instanceof SqlIdentifier name
        && name.names.size() <= 2) {
      return name;
    }
    throw refused(view, "it is no query of one table");
  }

  private static List<String> source(ViewDef view, SqlNodeList items, List<String> names) {
    List<String> source = new ArrayList<>();
    for (SqlNode item : items) {
      SqlNode column =
          item.getKind() == SqlKind.AS && item instanceof SqlCall as ? as.operand(0) : item;
      if (!(column instanceof SqlIdentifier id)) {
        throw refused(view, "not all of its columns are columns of the table");
      }
      if (id.isStar()) {
        source.addAll(names);
      } else if (names.contains(id.names.getLast())) {
        source.add(id.names.getLast());
      } else {
        throw refused(view, id + " is no column of the table");
      }
    }
    if (source.size() != view.columns().size() || new HashSet<>(source).size() != source.size()) {
      throw refused(view, "it has a column of the table twice");
    }
    return source;
  }

  /** The condition with the queries of views in it, read in the view's own schema. */
  private static SqlNode named(
      SqlNode where, ObjectName name, @Nullable SqlNode from, CatalogSnapshot own) {
    SqlNode expanded = ViewExpansion.within(where, own);
    return from instanceof SqlIdentifier ? TargetNames.inValue(expanded, name) : expanded;
  }

  private static GpdbException refused(ViewDef view, String why) {
    return new GpdbException(
        ErrorCode.NOT_SUPPORTED,
        view.fullName() + " is a view that cannot be changed, since " + why);
  }

  /** The name of the i-th column of the table below all views, as the rows of any level have it. */
  static String hidden(int column) {
    return "$C" + column;
  }

  /**
   * The rows with their row ids and, under hidden names, all columns of the table.
   *
   * @param chosen only those that the views show; else all rows of the table
   */
  SqlNode rows(boolean chosen) {
    SqlNodeList items = SqlNodeList.of(of(GpTable.ROW_ID, GpTable.ROW_ID));
    for (int i = 0; i < source.size(); i++) {
      items.add(of(source.get(i), view.columns().get(i).name()));
    }
    for (int c = 0; c < table.columns().size(); c++) {
      items.add(of(below == null ? table.column(c).name() : hidden(c), hidden(c)));
    }
    SqlNode where = condition;
    return QueryConversion.select(
        items, from(chosen), chosen && where != null ? NodeCopy.of(where) : null);
  }

  private SqlNode of(String column, String name) {
    return SqlStdOperatorTable.AS.createCall(
        NOWHERE,
        new SqlIdentifier(List.of(alias, column), NOWHERE),
        new SqlIdentifier(name, NOWHERE));
  }

  private SqlNode from(boolean chosen) {
    SqlNode rows =
        below == null
            ? new SqlIdentifier(
                List.of(NameResolution.rowsSchema(table.schema()), table.name()), NOWHERE)
            : below.rows(chosen);
    return SqlStdOperatorTable.AS.createCall(NOWHERE, rows, new SqlIdentifier(alias, NOWHERE));
  }

  /** The ids of the table's rows for which the condition of this level alone is not TRUE. */
  SqlNode violations(SqlNode where) {
    SqlNode fails = SqlStdOperatorTable.IS_NOT_TRUE.createCall(NOWHERE, NodeCopy.of(where));
    return QueryConversion.select(
        SqlNodeList.of(of(GpTable.ROW_ID, GpTable.ROW_ID)), from(false), fails);
  }

  /** The column of the table that a column of the view is. */
  int tableColumn(int column) {
    return below == null
        ? table.indexOf(source.get(column))
        : below.tableColumn(below.indexOf(source.get(column)));
  }

  /** The position of a column of the view; -1 where there is none of that name. */
  int indexOf(String column) {
    for (int i = 0; i < view.columns().size(); i++) {
      if (view.columns().get(i).name().equals(column)) {
        return i;
      }
    }
    return -1;
  }
}
