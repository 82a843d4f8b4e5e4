package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.ColumnDef;
import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.catalog.IdentityDef;
import io.gpdb.sql.catalog.NameResolution;
import io.gpdb.sql.catalog.TableDef;
import io.gpdb.sql.dialect.SequenceFunction;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.ParsedStatement.Overriding;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.InsertSource;
import io.gpdb.sql.statement.NumberedColumn;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.sql.validation.SequenceCalls;
import io.gpdb.sql.validation.TableNames;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDelete;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlUpdate;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * INSERT, UPDATE and DELETE as queries for a sink: UPDATE t SET c = e WHERE p becomes SELECT
 * _ROWID, e FROM t WHERE p, so that only the needed columns are read.
 */
final class ChangeAnalysis {
  private final CatalogSnapshot catalog;
  private final Supplier<QueryConversion> conversions;

  ChangeAnalysis(CatalogSnapshot catalog, Supplier<QueryConversion> conversions) {
    this.catalog = catalog;
    this.conversions = conversions;
  }

  static int[] allColumns(TableDef table) {
    return IntStream.range(0, table.columns().size()).toArray();
  }

  Analyzed insert(SqlInsert insert, @Nullable Overriding overriding) {
    TableDef table = TableNames.table(insert.getTargetTable(), catalog);
    SqlNodeList names = insert.getTargetColumnList();
    int[] given = names == null ? allColumns(table) : TableNames.columns(table, names, catalog);
    int[] defaulted = defaulted(table, given);
    int[] columns = IntStream.concat(IntStream.of(given), IntStream.of(defaulted)).toArray();
    SqlNode source = insert.getSource();
    QueryConversion conversion = conversions.get();
    AssignedColumns assigned = new AssignedColumns(table, overriding);
    if (ValuesConversion.accepts(source)) {
      ValuesConversion values = new ValuesConversion(conversion, table, given, assigned);
      List<List<RexNode>> rows = values.rows((SqlCall) source, defaulted);
      InsertSource from = new InsertSource.Rows(rows, conversion.cluster());
      return new Analyzed.Insert(table, columns, from, values.parameters());
    }
    assigned.requireAll(given, source);
    return insertQuery(table, given, defaulted, source, conversion);
  }

  private static Analyzed insertQuery(
      TableDef table, int[] given, int[] defaulted, SqlNode source, QueryConversion conversion) {
    QueryConversion.Converted query = conversion.query(typed(source, table, given));
    if (query.output().size() != given.length) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "INSERT has "
              + given.length
              + " columns but its query "
              + query.output().size()
              + TableNames.at(source));
    }
    DefaultValues defaults = new DefaultValues(conversion);
    List<RexNode> values = new ArrayList<>();
    List<NumberedColumn> numbered = new ArrayList<>();
    IntStream.Builder columns = IntStream.builder();
    IntStream.of(given).forEach(columns);
    for (int column : defaulted) {
      RexNode value = defaults.of(table, column);
      if (SequenceFunction.isNext(value)) {
        numbered.add(new NumberedColumn(column, SequenceFunction.of(value).sequence()));
      } else {
        values.add(value);
        columns.add(column);
      }
    }
    RelRoot root = Assignment.assigned(query.root(), 0, table, given, values);
    return new Analyzed.Insert(
        table,
        columns.build().toArray(),
        new InsertSource.Select(root),
        numbered,
        query.parameters());
  }

  /** Columns whose rows take numbers where nobody says their values. */
  List<NumberedColumn> numbered(TableDef table) {
    DefaultValues defaults = new DefaultValues(conversions.get());
    List<NumberedColumn> numbered = new ArrayList<>();
    for (int column : defaulted(table, new int[0])) {
      RexNode value = defaults.of(table, column);
      if (SequenceFunction.isNext(value)) {
        numbered.add(new NumberedColumn(column, SequenceFunction.of(value).sequence()));
      }
    }
    return numbered;
  }

  Analyzed insertDefaults(SqlIdentifier name) {
    TableDef table = TableNames.table(name, catalog);
    int[] all = allColumns(table);
    QueryConversion conversion = conversions.get();
    ValuesConversion values =
        new ValuesConversion(conversion, table, all, new AssignedColumns(table, null));
    InsertSource row = new InsertSource.Rows(values.defaultsOnly(all), conversion.cluster());
    return new Analyzed.Insert(table, all, row, List.of());
  }

  /** The defaults of a table's columns as a row without the others, or null where none has one. */
  Analyzed.@Nullable Insert defaultsAlone(TableDef table) {
    int[] columns =
        IntStream.range(0, table.columns().size())
            .filter(c -> table.column(c).defaultSql() != null)
            .toArray();
    if (columns.length == 0) {
      return null;
    }
    QueryConversion conversion = conversions.get();
    ValuesConversion values =
        new ValuesConversion(conversion, table, columns, new AssignedColumns(table, null));
    InsertSource row = new InsertSource.Rows(values.defaultsOnly(columns), conversion.cluster());
    return new Analyzed.Insert(table, columns, row, List.of());
  }

  /** Columns that are not named but have a DEFAULT or are numbered. */
  private static int[] defaulted(TableDef table, int[] given) {
    return IntStream.range(0, table.columns().size())
        .filter(c -> table.column(c).defaultSql() != null || table.column(c).identity() != null)
        .filter(c -> IntStream.of(given).noneMatch(g -> g == c))
        .toArray();
  }

  /** Sets the types of bare parameters in a VALUES or SELECT list to those of their columns. */
  private static SqlNode typed(SqlNode source, TableDef table, int[] columns) {
    if (source instanceof SqlSelect select) {
      SqlNodeList items = select.getSelectList();
      if (items.size() == columns.length) {
        select.setSelectList(typed(items, table, columns));
      }
    } else if (source.getKind() == SqlKind.VALUES && source instanceof SqlBasicCall values) {
      for (SqlNode row : values.getOperandList()) {
        if (row instanceof SqlBasicCall call && call.operandCount() == columns.length) {
          for (int i = 0; i < columns.length; i++) {
            call.setOperand(i, typed(call.operand(i), table.column(columns[i])));
          }
        }
      }
    }
    return source;
  }

  private static SqlNodeList typed(SqlNodeList items, TableDef table, int[] columns) {
    SqlNodeList typed = new SqlNodeList(items.getParserPosition());
    for (int i = 0; i < items.size(); i++) {
      typed.add(typed(items.get(i), table.column(columns[i])));
    }
    return typed;
  }

  private static SqlNode typed(SqlNode item, ColumnDef column) {
    if (!(item instanceof SqlDynamicParam)) {
      return item;
    }
    return SqlStdOperatorTable.CAST.createCall(
        item.getParserPosition(),
        item,
        ParameterGuesses.declared(Assignment.valueType(column.type())));
  }

  Analyzed update(SqlUpdate update) {
    TableDef table = TableNames.table(update.getTargetTable(), catalog);
    int[] columns = TableNames.columns(table, update.getTargetColumnList(), catalog);
    String alias = alias(update.getAlias(), table);
    SqlNodeList items = new SqlNodeList(SqlParserPos.ZERO);
    items.add(rowId(alias));
    SqlNodeList values = update.getSourceExpressionList();
    AssignedColumns assigned = new AssignedColumns(table, null);
    for (int i = 0; i < columns.length; i++) {
      assigned.require(columns[i], values.get(i));
      SqlNode value =
          TargetNames.inValue(
              valueOrDefault(values.get(i), table, table.column(columns[i])),
              table,
              update.getAlias());
      SqlParserPos at = value.getParserPosition();
      items.add(
          SqlStdOperatorTable.AS.createCall(
              at, typed(value, table.column(columns[i])), new SqlIdentifier("$S" + i, at)));
    }
    SqlNode condition = TargetNames.in(update.getCondition(), table, update.getAlias());
    SqlNode source = QueryConversion.select(items, target(table, alias), condition);
    QueryConversion.Converted query = conversions.get().query(source);
    RelRoot root = Assignment.assigned(query.root(), 1, table, columns, List.of());
    return new Analyzed.Update(table, columns, root, query.parameters());
  }

  private SqlNode valueOrDefault(SqlNode value, TableDef table, ColumnDef column) {
    if (value.getKind() != SqlKind.DEFAULT) {
      return value;
    }
    IdentityDef identity = column.identity();
    if (identity != null) {
      return SequenceFunction.next(catalog.sequence(identity)).call(value.getParserPosition());
    }
    String text = column.defaultSql();
    try {
      return SequenceCalls.expression(
          SqlText.expression(text == null ? "NULL" : text), catalog.inSchemaOf(table));
    } catch (SqlParseException e) {
      throw new GpdbException(
          ErrorCode.INTERNAL, "DEFAULT of column " + column.name() + ": " + text, e);
    }
  }

  Analyzed delete(SqlDelete delete) {
    TableDef table = TableNames.table(delete.getTargetTable(), catalog);
    String alias = alias(delete.getAlias(), table);
    SqlNode source =
        QueryConversion.select(
            SqlNodeList.of(rowId(alias)),
            target(table, alias),
            TargetNames.in(delete.getCondition(), table, delete.getAlias()));
    QueryConversion.Converted query = conversions.get().query(source);
    RelRoot root = RelRoot.of(query.root().project(), SqlKind.SELECT);
    return new Analyzed.Delete(table, root, query.parameters());
  }

  private static String alias(@Nullable SqlIdentifier alias, TableDef table) {
    return alias == null ? table.name() : alias.getSimple();
  }

  private static SqlNode rowId(String alias) {
    return new SqlIdentifier(List.of(alias, GpTable.ROW_ID), SqlParserPos.ZERO);
  }

  private static SqlNode target(TableDef table, String alias) {
    SqlParserPos at = SqlParserPos.ZERO;
    return SqlStdOperatorTable.AS.createCall(
        at,
        new SqlIdentifier(List.of(NameResolution.rowsSchema(table.schema()), table.name()), at),
        new SqlIdentifier(alias, at));
  }
}
