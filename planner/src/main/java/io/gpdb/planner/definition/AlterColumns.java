package io.gpdb.planner.definition;

import io.gpdb.planner.change.GeneratedColumns;
import io.gpdb.planner.change.StoredValue;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.DropBehavior;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.KeyDef;
import io.gpdb.sql.definition.Privileges;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.definition.ViewDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.AlterAction;
import io.gpdb.sql.type.SqlLimits;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Actions of ALTER TABLE on columns: added, dropped, renamed, NULL allowed or not, defaults. */
final class AlterColumns {
  private static final Pattern SEQUENCE = Pattern.compile("(?i)\\bNEXT\\s+VALUE\\b|\\bNEXTVAL\\b");

  private final AlteredTable altered;

  AlterColumns(AlteredTable altered) {
    this.altered = altered;
  }

  private TableReaders readers() {
    return new TableReaders(altered);
  }

  /** Returns whether there is a new column. */
  boolean add(AlterAction.AddColumn add) {
    TableDef table = altered.table();
    ColumnDef column = add.column();
    if (table.indexOf(column.name()) >= 0) {
      if (add.ifNotExists()) {
        return false;
      }
      throw exists(column.name());
    }
    if (table.columns().size() >= SqlLimits.COLUMNS_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "table %s has too many columns: columns=%d, limit=%d"
              .formatted(table.name(), table.columns().size() + 1, SqlLimits.COLUMNS_MAX));
    }
    readers().requireNoneOfAllColumns(column.name());
    readers().requireNotNamed(column.name(), "ADD COLUMN");
    List<ColumnDef> columns = new ArrayList<>(table.columns());
    columns.add(column.withIdentity(null));
    TableDef with = table.withColumns(columns);
    SequenceDef sequence = add.sequence();
    if (sequence != null) {
      addNumbered(with, column, sequence);
      return true;
    }
    // Refuses expressions that no INSERT could compute.
    var _ = GeneratedColumns.of(with);
    String perRow = valuePerRow(column);
    if (perRow == null) {
      addStored(with, column);
    } else {
      List<String> expressions = altered.columnExpressions();
      expressions.add("(" + perRow + "\n)");
      altered.compute(with, expressions);
    }
    return true;
  }

  /** The expression of a column whose value is another one in each row; else null. */
  private static @Nullable String valuePerRow(ColumnDef column) {
    String value = column.defaultSql();
    boolean numbered = value != null && SEQUENCE.matcher(value).find();
    return numbered ? value : column.generatedSql();
  }

  /** An identity column; the rows that are there have the first numbers of its sequence. */
  private void addNumbered(TableDef with, ColumnDef column, SequenceDef sequence) {
    altered.fence();
    long rows = altered.rowsWhere("TRUE");
    List<String> expressions = altered.columnExpressions();
    expressions.add(
        "CAST(CAST('%d' AS BIGINT) + (ROW_NUMBER() OVER () - 1) * CAST('%d' AS BIGINT) AS BIGINT)"
            .formatted(sequence.start(), sequence.increment()));
    SequenceDef next = sequence.after(rows);
    altered.compute(with, expressions);
    int index = altered.table().columns().size() - 1;
    altered.redefine(altered.table().withColumns(altered.with(index, column)), List.of(next));
  }

  private void addStored(TableDef with, ColumnDef column) {
    StoredValue value = altered.defaultOf(column);
    if (value.isNull() && !column.nullable()) {
      altered.fence();
      if (altered.rowsWhere("TRUE") > 0) {
        throw new GpdbException(
            SqlCondition.NOT_NULL_VIOLATION,
            "column "
                + column.name()
                + " is NOT NULL and has no default for the rows of table "
                + with.name());
      }
    }
    altered.addColumn(with, value);
  }

  private GpdbException exists(String column) {
    return new GpdbException(
        SqlCondition.COLUMN_EXISTS,
        "table " + altered.table().name() + " has a column named " + column + " already");
  }

  void drop(AlterAction.DropColumn drop) {
    if (drop.ifExists() && altered.table().indexOf(drop.column()) < 0) {
      return;
    }
    int index = altered.column(drop.column());
    if (altered.table().columns().size() == 1) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "column " + drop.column() + " is the only one of table " + altered.table().name());
    }
    TableReaders readers = readers();
    readers.requireNoExpression(drop.column(), "DROP");
    readers.requireNoForeignKey(drop.column(), "DROP");
    if (drop.cascade()) {
      dropViews(readers.viewsOf(drop.column()));
    } else {
      readers.requireNoView(drop.column(), "DROP");
      requireAloneInKeys(index, drop.column());
    }
    int[] kept =
        IntStream.range(0, altered.table().columns().size()).filter(c -> c != index).toArray();
    altered.selectColumns(without(altered.table(), index), kept);
  }

  private void dropViews(List<ViewDef> views) {
    for (ViewDef view : views) {
      ViewDef there = altered.catalog().view(view.name());
      if (there != null) {
        altered
            .execution()
            .catalogs()
            .views()
            .drop(altered.execution().transaction(), there, DropBehavior.CASCADE);
      }
    }
  }

  private void requireAloneInKeys(int index, String column) {
    for (KeyDef key : altered.table().keys()) {
      requireAlone(key.columns(), index, column, "constraint " + key.name());
    }
    for (IndexDef of : altered.table().indexes()) {
      String kind = of.key() == null ? "index " : "constraint ";
      requireAlone(of.columns(), index, column, kind + of.name());
    }
  }

  private static void requireAlone(int[] columns, int index, String column, String user) {
    if (columns.length > 1 && contains(columns, index)) {
      throw new GpdbException(
          SqlCondition.OBJECT_IN_USE,
          "DROP column " + column + ": " + user + " needs it; CASCADE drops that too");
    }
  }

  private static boolean contains(int[] columns, int index) {
    return Arrays.stream(columns).anyMatch(c -> c == index);
  }

  /** The table without the column and the keys and indexes that have it. */
  private static TableDef without(TableDef table, int index) {
    List<ColumnDef> columns = new ArrayList<>(table.columns());
    columns.remove(index);
    return table
        .withColumns(columns)
        .withPrivileges(Privileges.renamed(table.privileges(), table.column(index).name(), null))
        .withKeys(
            table.keys().stream()
                .filter(key -> !contains(key.columns(), index))
                .map(key -> key.withColumns(moved(key.columns(), index)))
                .toList())
        .withIndexes(
            table.indexes().stream()
                .filter(of -> !contains(of.columns(), index))
                .map(of -> of.withColumns(moved(of.columns(), index)))
                .toList())
        .withForeignKeys(
            table.foreignKeys().stream()
                .map(foreign -> foreign.withColumns(moved(foreign.columns(), index)))
                .toList());
  }

  private static int[] moved(int[] columns, int removed) {
    return Arrays.stream(columns).map(c -> c > removed ? c - 1 : c).toArray();
  }

  void rename(AlterAction.RenameColumn rename) {
    int index = altered.column(rename.column());
    if (rename.to().equals(rename.column())) {
      return;
    }
    if (altered.table().indexOf(rename.to()) >= 0) {
      throw exists(rename.to());
    }
    TableReaders readers = readers();
    readers.requireNotNamed(rename.column(), "RENAME column");
    readers.requireNotNamed(rename.to(), "RENAME a column to");
    readers.requireNoExpression(rename.column(), "RENAME");
    renameInChildren(rename);
    ColumnDef column = altered.table().column(index).withName(rename.to());
    TableDef table = altered.table();
    altered.redefine(
        table
            .withColumns(altered.with(index, column))
            .withPrivileges(Privileges.renamed(table.privileges(), rename.column(), rename.to()))
            .withForeignKeys(renamed(table.foreignKeys(), rename)));
  }

  /** The foreign keys of other tables name the columns of their parent. */
  private void renameInChildren(AlterAction.RenameColumn rename) {
    for (TableDef other : List.copyOf(altered.catalog().tables())) {
      List<ForeignKeyDef> renamed = renamed(other.foreignKeys(), rename);
      if (other.tableId() != altered.table().tableId() && !renamed.equals(other.foreignKeys())) {
        altered
            .execution()
            .catalogs()
            .redefineTable(altered.execution().transaction(), other.withForeignKeys(renamed));
      }
    }
  }

  private List<ForeignKeyDef> renamed(
      List<ForeignKeyDef> foreignKeys, AlterAction.RenameColumn rename) {
    TableReaders readers = readers();
    return foreignKeys.stream()
        .map(
            foreign ->
                readers.refersTo(foreign)
                    ? foreign.withParent(
                        foreign.parentTable(),
                        foreign.parentColumns().stream()
                            .map(c -> c.equals(rename.column()) ? rename.to() : c)
                            .toList())
                    : foreign)
        .toList();
  }

  void setDefault(AlterAction.SetDefault set) {
    int index = altered.column(set.column());
    if (altered.table().column(index).identity() != null) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "column " + set.column() + " is an identity column and has no default");
    }
    if (altered.table().column(index).generatedSql() != null) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "column " + set.column() + " is generated and has no default");
    }
    ColumnDef column = altered.table().column(index).withDefault(set.defaultSql());
    var _ = altered.defaultOf(column);
    altered.redefine(altered.table().withColumns(altered.with(index, column)));
  }

  void setNotNull(AlterAction.SetNotNull set) {
    int index = altered.column(set.column());
    if (set.notNull()) {
      requireNotNull(index);
    } else {
      requireNotPrimary(index);
    }
    ColumnDef column = altered.table().column(index);
    ColumnDef changed =
        set.notNull()
            ? column.withNullable(false)
            : column.withNullable(true).withNotNullName(null);
    if (!changed.equals(column)) {
      altered.redefine(altered.table().withColumns(altered.with(index, changed)));
    }
  }

  /** Throws 23502 where a row has no value in the column. */
  void requireNotNull(int index) {
    ColumnDef column = altered.table().column(index);
    if (!column.nullable()) {
      return;
    }
    altered.fence();
    long rows = altered.rowsWhere(AlteredTable.quoted(column.name()) + " IS NULL");
    if (rows > 0) {
      throw new GpdbException(
          SqlCondition.NOT_NULL_VIOLATION,
          "column %s of table %s has NULLs: rows=%d"
              .formatted(column.name(), altered.table().name(), rows));
    }
  }

  private void requireNotPrimary(int index) {
    for (KeyDef key : altered.table().keyConstraints()) {
      if (key.primary() && contains(key.columns(), index)) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT,
            "column "
                + altered.table().column(index).name()
                + " is in the primary key "
                + key.name());
      }
    }
  }
}
