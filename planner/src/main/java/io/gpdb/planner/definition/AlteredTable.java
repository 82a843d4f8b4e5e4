package io.gpdb.planner.definition;

import io.gpdb.planner.batch.Execution;
import io.gpdb.planner.change.KeyMessages;
import io.gpdb.planner.change.StoredValue;
import io.gpdb.planner.expression.HostValue;
import io.gpdb.planner.expression.host.HostCasts;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.Suggestions;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.index.IndexBuild;
import io.gpdb.txn.api.KeyViolation;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A table between two actions of an ALTER TABLE: its definition, and the ways to give it another
 * one. Each way leaves the catalog and the rows as they belong together.
 */
final class AlteredTable {
  private final Execution x;
  private final InnerStatements statements;
  private TableDef table;

  AlteredTable(Execution x, InnerStatements statements, TableDef table) {
    this.x = x;
    this.statements = statements;
    this.table = table;
  }

  Execution execution() {
    return x;
  }

  InnerStatements statements() {
    return statements;
  }

  TableDef table() {
    return table;
  }

  CatalogSnapshot catalog() {
    return x.catalog();
  }

  /** The position of a column; throws 42S22 where there is none of that name. */
  int column(String name) {
    int index = table.indexOf(name);
    if (index < 0) {
      throw new GpdbException(
          SqlCondition.COLUMN_NOT_FOUND,
          "column "
              + name
              + " does not exist in table "
              + table.name()
              + Suggestions.column(name, table.name(), x.catalog()));
    }
    return index;
  }

  int[] columns(List<String> names) {
    int[] columns = new int[names.size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = column(names.get(i));
      for (int before = 0; before < i; before++) {
        if (columns[before] == columns[i]) {
          throw new GpdbException(
              SqlCondition.INVALID_STATEMENT, "column " + names.get(i) + " is given twice");
        }
      }
    }
    return columns;
  }

  List<ColumnDef> with(int index, ColumnDef column) {
    List<ColumnDef> columns = new ArrayList<>(table.columns());
    columns.set(index, column);
    return columns;
  }

  /**
   * Another definition for the rows as they are stored. Where it forbids what the one before
   * allowed, the rows are {@link #fence fenced} and looked at first.
   */
  void redefine(TableDef definition) {
    redefine(definition, List.of());
  }

  /** As {@link #redefine(TableDef)}, with the sequences of identity columns that have none yet. */
  void redefine(TableDef definition, List<SequenceDef> identities) {
    table = x.catalogs().redefineTable(x.transaction(), definition, identities);
  }

  /** Keeps others from writing rows by the definition that the table has so far. */
  void fence() {
    x.transaction().fenceTable(table.tableId());
  }

  /**
   * Another definition whose columns are columns of the one before.
   *
   * @param columns for each column its position before
   */
  void selectColumns(TableDef definition, int[] columns) {
    table =
        x.catalogs()
            .replaceTable(
                x.transaction(),
                table,
                definition,
                made -> x.transaction().copyTable(table.tableId(), made.tableId(), columns));
  }

  /**
   * Another definition, whose columns get values that are computed from the rows.
   *
   * @param expressions for each column, over the columns before; null: the column is NULL
   */
  void compute(TableDef definition, List<String> expressions) {
    List<String> given = new ArrayList<>();
    int[] columns = new int[expressions.size()];
    for (int i = 0; i < columns.length; i++) {
      if (!expressions.get(i).isEmpty()) {
        columns[given.size()] = i;
        given.add(expressions.get(i));
      }
    }
    int[] target = Arrays.copyOf(columns, given.size());
    String query = "SELECT " + String.join(", ", given) + " FROM " + quoted(table);
    table =
        x.catalogs()
            .replaceTable(
                x.transaction(),
                table,
                definition,
                made ->
                    statements.insert(
                        x, made.withChecks(List.of()).withForeignKeys(List.of()), target, query));
    table.deferrableKeys().forEach(key -> statements.validate(x, table, key));
  }

  /** The columns' names as expressions, in order. */
  List<String> columnExpressions() {
    List<String> names = new ArrayList<>();
    table.columns().forEach(column -> names.add(quoted(column.name())));
    return names;
  }

  /** The number of rows for which a condition is true. */
  long rowsWhere(String condition) {
    String query = "SELECT COUNT(*) FROM " + quoted(table) + " WHERE " + condition;
    if (!(statements.run(x, query) instanceof Result.Rows(RowSet rows))) {
      throw new IllegalStateException("a count without rows");
    }
    try (rows) {
      rows.next();
      return rows.raw(0);
    }
  }

  /** The value of the column's default; throws where it does not fit the column. */
  StoredValue defaultOf(ColumnDef column) {
    return statements.defaultOf(
        x,
        table
            .withColumns(List.of(column))
            .withKeys(List.of())
            .withIndexes(List.of())
            .withChecks(List.of())
            .withForeignKeys(List.of()));
  }

  /** Another definition, which has one column more; the rows that are there have that value. */
  void addColumn(TableDef definition, StoredValue value) {
    x.catalogs()
        .addColumn(x.transaction(), definition, value.raw(), value.string(), value.isNull());
    table = definition;
  }

  /** The id that the next index gets. */
  int newIndexId() {
    return table.keys().size() + table.indexes().size();
  }

  /** Another definition, which has one index more, of that id. */
  void addIndex(TableDef definition, int indexId) {
    long row = x.catalogs().addIndex(x.transaction(), definition);
    if (row != IndexBuild.NO_ROW) {
      throw KeyMessages.translate(
          new KeyViolation(indexId, row), definition, (column, r) -> text(definition, column, row));
    }
    table = definition;
  }

  private String text(TableDef definition, int column, long row) {
    TableReader reader = x.transaction().reader(definition.tableId());
    long[] value = new long[1];
    boolean[] isNull = new boolean[1];
    if (!reader.read(row, new int[] {column}, value, isNull) || isNull[0]) {
      return "NULL";
    }
    SqlTypeSpec type = definition.column(column).type();
    CodedStrings strings = reader.strings(column);
    Object found =
        strings == null
            ? HostValue.ofRaw(type, value[0])
            : HostValue.ofBytes(type, strings.bytes((int) value[0]));
    return HostCasts.text(found, type);
  }

  static String quoted(TableDef table) {
    return quoted(table.schema()) + "." + quoted(table.name());
  }

  static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
