package io.gpdb.sql.catalog;

import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.ForeignKeyDef;
import io.gpdb.sql.definition.IndexDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.ReferencedKey;
import io.gpdb.sql.definition.TableConstraints;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A FOREIGN KEY by names, before they are looked up.
 *
 * @param parentColumns empty for the parent's primary key
 */
public record ForeignKeyDraft(
    @Nullable String name,
    List<String> columns,
    ObjectName parentTable,
    List<String> parentColumns,
    ForeignKeyDef.Action onDelete,
    ForeignKeyDef.Action onUpdate,
    boolean deferrable,
    boolean deferred,
    boolean matchesFull) {
  public ForeignKeyDraft {
    columns = List.copyOf(columns);
    parentColumns = List.copyOf(parentColumns);
  }

  /** The key of a table, whose parents are in the catalog or are itself. */
  public ForeignKeyDef in(TableDef table, CatalogSnapshot catalog) {
    int[] positions = positions(table, columns, catalog);
    TableDef parent = parentTable.equals(table.fullName()) ? table : catalog.table(parentTable);
    if (parent == null && catalog.view(parentTable) != null) {
      throw new GpdbException(
          SqlCondition.WRONG_KIND_OF_OBJECT,
          "FOREIGN KEY REFERENCES " + parentTable + ", which is a view and no table");
    }
    if (parent == null) {
      throw new GpdbException(
          ErrorCode.TABLE_NOT_FOUND,
          "table "
              + parentTable
              + " does not exist"
              + Suggestions.table(parentTable.name(), catalog));
    }
    if (parent.isTemporary() || table.isTemporary()) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "FOREIGN KEY of or to a temporary table is not supported: "
              + table.fullName()
              + " REFERENCES "
              + parentTable);
    }
    int[] referenced = referenced(parent, catalog);
    if (referenced.length != positions.length) {
      throw new GpdbException(
          SqlCondition.INVALID_FOREIGN_KEY,
          "FOREIGN KEY has "
              + positions.length
              + " columns and REFERENCES "
              + referenced.length
              + " of table "
              + parentTable);
    }
    requireSettable(table, positions);
    for (int i = 0; i < positions.length; i++) {
      requireSameType(table.column(positions[i]), parent.column(referenced[i]));
    }
    return new ForeignKeyDef(
        name == null ? generatedName(table) : name,
        positions,
        parent.schema(),
        parent.name(),
        Arrays.stream(referenced).mapToObj(c -> parent.column(c).name()).toList(),
        onDelete,
        onUpdate,
        deferrable,
        deferred,
        matchesFull);
  }

  private static int[] positions(TableDef table, List<String> names, CatalogSnapshot catalog) {
    int[] positions = new int[names.size()];
    for (int i = 0; i < positions.length; i++) {
      positions[i] = table.indexOf(names.get(i));
      if (positions[i] < 0) {
        throw new GpdbException(
            SqlCondition.COLUMN_NOT_FOUND,
            "column "
                + names.get(i)
                + " does not exist in table "
                + table.name()
                + Suggestions.column(names.get(i), table.name(), catalog));
      }
    }
    if (new HashSet<>(names).size() < names.size()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT, "FOREIGN KEY names a column twice: " + names);
    }
    return positions;
  }

  private int[] referenced(TableDef parent, CatalogSnapshot catalog) {
    if (!parentColumns.isEmpty()) {
      int[] positions = positions(parent, parentColumns, catalog);
      if (ReferencedKey.of(parent, positions) == null) {
        for (IndexDef index : parent.deferrableKeys()) {
          requireNot(index, parent, positions);
        }
        throw new GpdbException(
            SqlCondition.INVALID_FOREIGN_KEY,
            "columns "
                + parentColumns
                + " of table "
                + parent.name()
                + " are no PRIMARY KEY or UNIQUE constraint");
      }
      return positions;
    }
    for (IndexDef index : parent.deferrableKeys()) {
      if (index.asKey().primary()) {
        requireNot(index, parent, index.columns());
      }
    }
    if (parent.keys().isEmpty() || !parent.keys().getFirst().primary()) {
      throw new GpdbException(
          SqlCondition.INVALID_FOREIGN_KEY,
          "table " + parent.name() + " has no primary key for REFERENCES without columns");
    }
    return parent.keys().getFirst().columns();
  }

  /** Of two rows with one key nobody could say which one is the parent. */
  private static void requireNot(IndexDef deferrable, TableDef parent, int[] columns) {
    int[] sorted = Arrays.stream(columns).sorted().toArray();
    if (Arrays.equals(Arrays.stream(deferrable.columns()).sorted().toArray(), sorted)) {
      throw new GpdbException(
          SqlCondition.OBJECT_NOT_READY,
          "FOREIGN KEY cannot refer to key "
              + deferrable.name()
              + " of table "
              + parent.name()
              + ", which is DEFERRABLE");
    }
  }

  /** An action cannot set what is computed. */
  private void requireSettable(TableDef table, int[] positions) {
    boolean sets =
        switch (onUpdate) {
          case CASCADE, SET_NULL, SET_DEFAULT -> true;
          case NO_ACTION, RESTRICT ->
              onDelete == ForeignKeyDef.Action.SET_NULL
                  || onDelete == ForeignKeyDef.Action.SET_DEFAULT;
        };
    for (int position : positions) {
      if (sets && table.column(position).generatedSql() != null) {
        throw new GpdbException(
            SqlCondition.INVALID_FOREIGN_KEY,
            "FOREIGN KEY would set column "
                + table.column(position).name()
                + ", which is generated: ON UPDATE CASCADE, SET NULL and SET DEFAULT cannot");
      }
    }
  }

  /** Values of both are stored as the same bits, strings apart. */
  private static void requireSameType(ColumnDef child, ColumnDef parent) {
    SqlTypeSpec a = child.type();
    SqlTypeSpec b = parent.type();
    boolean same =
        switch (a.kind()) {
          case TINYINT, SMALLINT, INTEGER, BIGINT ->
              switch (b.kind()) {
                case TINYINT, SMALLINT, INTEGER, BIGINT -> true;
                default -> false;
              };
          case DECIMAL, WIDE_DECIMAL -> b.kind() == a.kind() && a.scale() == b.scale();
          case CHAR, TIME, TIMESTAMP, TIMESTAMP_TZ ->
              b.kind() == a.kind() && a.precision() == b.precision();
          case INTERVAL_MONTHS, INTERVAL_MICROS -> a.equals(b);
          default -> a.kind() == b.kind();
        };
    if (same && a.element().isFloat()) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "a FOREIGN KEY over the " + a + " column " + child.name() + " is not supported");
    }
    if (!same) {
      throw new GpdbException(
          SqlCondition.TYPE_MISMATCH,
          "FOREIGN KEY column "
              + child.name()
              + " is "
              + a
              + ", but the column "
              + parent.name()
              + " that it refers to is "
              + b);
    }
  }

  private String generatedName(TableDef table) {
    List<String> parts = new ArrayList<>();
    parts.add(table.name());
    parts.addAll(columns);
    String base = String.join("_", parts) + "_FKEY";
    String free = base;
    for (int i = 1; TableConstraints.names(table).contains(free); i++) {
      free = base + i;
    }
    return free;
  }
}
