package io.gpdb.sql.plain;

import io.gpdb.sql.catalog.GpTable;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A table in FROM. */
sealed interface PlainTable {
  /** By which columns are qualified. */
  String name();

  /** The field of the joined row that is its first column. */
  int first();

  int fieldCount();

  /** The names of its columns, without the row id. */
  List<String> columns();

  /** The number of a column, or of the row id; or -1. */
  int indexOf(String column);

  /** The table as it is stored, or null. */
  @Nullable TableDef stored();

  /** The field of the joined row that is a column of the table, or the row id; or -1. */
  default int field(String column) {
    int index = indexOf(column);
    return index < 0 ? -1 : first() + index;
  }

  /**
   * A stored table.
   *
   * @param hasRowIds whether the row id is a field behind the columns
   */
  record Stored(String name, TableDef stored, boolean hasRowIds, int first) implements PlainTable {
    @Override
    public int fieldCount() {
      return stored.columns().size() + (hasRowIds ? 1 : 0);
    }

    @Override
    public List<String> columns() {
      return stored.columns().stream().map(ColumnDef::name).toList();
    }

    @Override
    public int indexOf(String column) {
      return hasRowIds && column.equals(GpTable.ROW_ID)
          ? stored.columns().size()
          : stored.indexOf(column);
    }
  }

  /** The rows of a query, whose columns have different names. */
  record Derived(String name, List<String> columns, int first) implements PlainTable {
    @Override
    public int fieldCount() {
      return columns.size();
    }

    @Override
    public int indexOf(String column) {
      return columns.indexOf(column);
    }

    @Override
    public @Nullable TableDef stored() {
      return null;
    }
  }
}
