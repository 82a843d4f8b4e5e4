package io.gpdb.sql.change;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.Assignment;
import io.gpdb.sql.conversion.DefaultValues;
import io.gpdb.sql.conversion.GeneratedValues;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.dialect.SequenceFunction;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.ParsedStatement.Overriding;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.InsertSource;
import io.gpdb.sql.statement.NumberedColumn;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.calcite.rel.RelRoot;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlInsert;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.jspecify.annotations.Nullable;

/** INSERT: rows of values, or a query, for a sink. */
public final class InsertAnalysis {
  private final CatalogSnapshot catalog;
  private final Supplier<QueryConversion> conversions;

  public InsertAnalysis(CatalogSnapshot catalog, Supplier<QueryConversion> conversions) {
    this.catalog = catalog;
    this.conversions = conversions;
  }

  static int[] allColumns(TableDef table) {
    return IntStream.range(0, table.columns().size()).toArray();
  }

  public Analyzed insert(SqlInsert insert, @Nullable Overriding overriding) {
    SqlNodeList names = insert.getTargetColumnList();
    UpdatableView view = UpdatableView.named(insert.getTargetTable(), catalog);
    if (view != null) {
      SqlNodeList columns = view.columns(names);
      return view.checked(
          insert(view.table(), columns, insert.getSource(), overriding).insert(), conversions);
    }
    TableDef table = TableNames.table(insert.getTargetTable(), catalog);
    return insert(table, names, insert.getSource(), overriding).insert();
  }

  /** An INSERT, and its parameters by their index in the statement. */
  record Numbered(Analyzed.Insert insert, Map<Integer, ParameterDef> parameters) {
    static List<ParameterDef> inOrder(Map<Integer, ParameterDef> parameters) {
      return List.copyOf(new TreeMap<>(parameters).values());
    }
  }

  public Numbered insert(
      TableDef table,
      @Nullable SqlNodeList names,
      SqlNode source,
      @Nullable Overriding overriding) {
    int[] given = names == null ? allColumns(table) : TableNames.columns(table, names, catalog);
    int[] defaulted = defaulted(table, given);
    int[] columns = IntStream.concat(IntStream.of(given), IntStream.of(defaulted)).toArray();
    QueryConversion conversion = conversions.get();
    AssignedColumns assigned = new AssignedColumns(table, overriding);
    if (ValuesConversion.accepts(source)) {
      ValuesConversion values = new ValuesConversion(conversion, table, given, assigned);
      List<List<RexNode>> rows = values.rows((SqlCall) source, defaulted);
      InsertSource from = new InsertSource.Rows(rows, conversion.cluster());
      Map<Integer, ParameterDef> parameters = values.numbered();
      return new Numbered(
          new Analyzed.Insert(
              table,
              columns,
              from,
              List.of(),
              GeneratedValues.of(table),
              Numbered.inOrder(parameters)),
          parameters);
    }
    assigned.requireAll(given, source);
    return insertQuery(table, given, defaulted, source, conversion);
  }

  private static Numbered insertQuery(
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
    Assignment.requireTypes(query.types(), 0, table, given, conversion.catalog());
    RelRoot root = Assignment.assigned(query.root(), 0, table, given, values);
    Analyzed.Insert insert =
        new Analyzed.Insert(
            table,
            columns.build().toArray(),
            new InsertSource.Select(root),
            numbered,
            GeneratedValues.of(table),
            Numbered.inOrder(query.numbered()));
    return new Numbered(insert, query.numbered());
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

  public Analyzed insertDefaults(SqlIdentifier name) {
    UpdatableView view = UpdatableView.named(name, catalog);
    return view == null
        ? insertDefaults(TableNames.table(name, catalog))
        : view.checked(insertDefaults(view.table()), conversions);
  }

  public Analyzed.Insert insertDefaults(TableDef table) {
    int[] all = allColumns(table);
    QueryConversion conversion = conversions.get();
    ValuesConversion values =
        new ValuesConversion(conversion, table, all, new AssignedColumns(table, null));
    InsertSource row = new InsertSource.Rows(values.defaultsOnly(all), conversion.cluster());
    return new Analyzed.Insert(table, all, row, List.of(), GeneratedValues.of(table), List.of());
  }

  /** The defaults of a table's columns as a row without the others, or null where none has one. */
  public Analyzed.@Nullable Insert defaultsAlone(TableDef table) {
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
  static int[] defaulted(TableDef table, int[] given) {
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
            call.setOperand(i, Assignments.typed(call.operand(i), table.column(columns[i])));
          }
        }
      }
    }
    return source;
  }

  private static SqlNodeList typed(SqlNodeList items, TableDef table, int[] columns) {
    SqlNodeList typed = new SqlNodeList(items.getParserPosition());
    for (int i = 0; i < items.size(); i++) {
      typed.add(Assignments.typed(items.get(i), table.column(columns[i])));
    }
    return typed;
  }
}
