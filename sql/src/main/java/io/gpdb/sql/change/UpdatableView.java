package io.gpdb.sql.change;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.AssignmentClause;
import io.gpdb.sql.parser.ConflictClause;
import io.gpdb.sql.parser.MergeClause;
import io.gpdb.sql.parser.ParsedStatement;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.ViewCheck;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** A view as the target of a statement that changes the table below it, or locks its rows. */
public final class UpdatableView {
  private final ViewLevel top;

  private UpdatableView(ViewLevel top) {
    this.top = top;
  }

  /** The view of that name; null where it is none. Throws 0A000 where it cannot be changed. */
  static @Nullable UpdatableView named(SqlNode name, CatalogSnapshot catalog) {
    ViewDef view =
        name instanceof SqlIdentifier id ? catalog.view(TableNames.named(id, catalog)) : null;
    if (view == null) {
      return null;
    }
    catalog.requireComplete(view);
    return new UpdatableView(ViewLevel.of(view, catalog));
  }

  /**
   * The definition with the table or view whose rows it shows, where there is one. Throws where it
   * has a CHECK OPTION that nothing could keep.
   */
  public static ViewDef based(ViewDef view, CatalogSnapshot catalog) {
    ViewLevel level;
    try {
      level = ViewLevel.of(view, catalog);
    } catch (GpdbException e) {
      if (view.checkOption() != ViewDef.CheckOption.NONE) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT, "WITH CHECK OPTION: " + e.getMessage(), e);
      }
      return view;
    }
    new UpdatableView(level).checked().forEach(UpdatableView::requireOwnRow);
    ViewLevel below = level.below();
    return view.withBase(below == null ? level.table().fullName() : below.view().fullName());
  }

  TableDef table() {
    return top.table();
  }

  ObjectName name() {
    return top.view().fullName();
  }

  List<String> columnNames() {
    return top.view().columns().stream().map(ColumnDef::name).toList();
  }

  /** The rows that the view shows, as a table in FROM. */
  SqlNode rows() {
    return top.rows(true);
  }

  /** All rows of the table in the same shape, also those that the view does not show. */
  SqlNode allRows() {
    return top.rows(false);
  }

  /** The columns of the view over all rows of the table, which need not be rows of the view. */
  SqlNode returned(SqlIdentifier alias) {
    SqlParserPos at = SqlParserPos.ZERO;
    SqlNodeList items = new SqlNodeList(at);
    for (int i = 0; i < top.view().columns().size(); i++) {
      items.add(
          SqlStdOperatorTable.AS.createCall(
              at,
              new SqlIdentifier(table().column(top.tableColumn(i)).name(), at),
              new SqlIdentifier(top.view().columns().get(i).name(), at)));
    }
    SqlNode from = new SqlIdentifier(List.of(table().schema(), table().name()), at);
    return SqlStdOperatorTable.AS.createCall(at, QueryConversion.select(items, from, null), alias);
  }

  /** The columns of the table that the columns of the view are. */
  int[] tableColumns() {
    return IntStream.range(0, top.view().columns().size()).map(top::tableColumn).toArray();
  }

  /** What the view calls a column of the table that it shows. */
  String nameOf(int tableColumn) {
    int[] columns = tableColumns();
    return IntStream.range(0, columns.length)
        .filter(i -> columns[i] == tableColumn)
        .mapToObj(columnNames()::get)
        .findFirst()
        .orElseThrow();
  }

  /** The columns of the table that are written as columns of the view; null for all of these. */
  SqlNodeList columns(@Nullable SqlNodeList names) {
    SqlNodeList columns =
        new SqlNodeList(names == null ? SqlParserPos.ZERO : names.getParserPosition());
    if (names == null) {
      for (int i = 0; i < top.view().columns().size(); i++) {
        columns.add(column(i, SqlParserPos.ZERO));
      }
    } else {
      names.forEach(name -> columns.add(column((SqlIdentifier) name)));
    }
    return columns;
  }

  private SqlIdentifier column(SqlIdentifier name) {
    int index = top.indexOf(name.names.getLast());
    if (index < 0) {
      throw new GpdbException(
          SqlCondition.COLUMN_NOT_FOUND,
          "column "
              + name.names.getLast()
              + " does not exist in view "
              + name()
              + TableNames.at(name));
    }
    return column(index, name.getParserPosition());
  }

  private SqlIdentifier column(int index, SqlParserPos at) {
    return new SqlIdentifier(table().column(top.tableColumn(index)).name(), at);
  }

  /** A SET list with the columns of the table on its left sides. */
  List<AssignmentClause> assignments(List<AssignmentClause> set) {
    return set.stream()
        .map(
            clause ->
                new AssignmentClause(
                    clause.columns().stream().map(this::column).toList(), clause.values()))
        .toList();
  }

  /** An INSERT that does not fail at a key, with the columns of the table that it stores in. */
  ParsedStatement.Upsert ofTable(ParsedStatement.Upsert upsert) {
    ConflictClause conflict = upsert.conflict();
    SqlNodeList key = conflict.columns();
    return new ParsedStatement.Upsert(
        upsert.name(),
        upsert.alias(),
        columns(upsert.columns()),
        upsert.overriding(),
        upsert.source(),
        new ConflictClause(
            conflict.action(),
            key == null ? null : columns(key),
            conflict.constraint(),
            assignments(conflict.set()),
            conflict.where(),
            conflict.position()));
  }

  /** A branch of MERGE, with the columns of the table that it stores in. */
  MergeClause ofTable(MergeClause clause) {
    SqlNodeList names = clause.columns();
    boolean insertsDefaults = names == null && clause.values().isEmpty();
    return new MergeClause(
        clause.rows(),
        clause.condition(),
        clause.action(),
        assignments(clause.set()),
        insertsDefaults ? null : columns(names),
        clause.values(),
        clause.position());
  }

  /** The views whose conditions new and changed rows must meet. */
  private List<ViewLevel> checked() {
    List<ViewLevel> checked = new ArrayList<>();
    boolean all = false;
    for (ViewLevel level = top; level != null; level = level.below()) {
      ViewDef.CheckOption option = level.view().checkOption();
      all |= option == ViewDef.CheckOption.CASCADED;
      if (level.condition() != null && (all || option == ViewDef.CheckOption.LOCAL)) {
        checked.add(level);
      }
    }
    return checked;
  }

  /** The change of the table, held to the CHECK OPTIONs of the views. */
  Analyzed checked(Analyzed change, Supplier<QueryConversion> conversions) {
    List<ViewCheck> checks = checks(conversions);
    return checks.isEmpty() ? change : new Analyzed.ChangeOfView(change, table(), checks);
  }

  /** The CHECK OPTIONs of the views. */
  List<ViewCheck> checks(Supplier<QueryConversion> conversions) {
    List<ViewCheck> checks = new ArrayList<>();
    for (ViewLevel level : checked()) {
      requireOwnRow(level);
      SqlNode where = level.condition();
      if (where != null) {
        QueryConversion.Converted query = conversions.get().query(level.violations(where));
        checks.add(new ViewCheck(level.view().fullName(), query.root().project()));
      }
    }
    return checks;
  }

  /** Only the rows that a statement has changed are looked at. */
  private static void requireOwnRow(ViewLevel level) {
    SqlNode where = level.condition();
    if (where != null && NodeSearch.hasQuery(where)) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "WITH CHECK OPTION over the subquery of view " + level.view().fullName());
    }
  }
}
