package io.gpdb.sql.definition;

import io.gpdb.storage.column.IndexKind;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A PRIMARY KEY or UNIQUE constraint over columns, which are listed by their positions in the
 * table.
 *
 * @param indexId the ordinal of the stored index that holds it
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out, compared by value
public record KeyDef(String name, boolean primary, int[] columns, int indexId) {
  public KeyDef {
    columns = columns.clone();
  }

  @Override
  public int[] columns() {
    return columns.clone();
  }

  /**
   * What a new table keeps the key in: one of several columns in order, so that its first columns
   * are an index too, and one of REAL or DOUBLE, as values that are equal may have other bits.
   * Tables of an older version have HASH for all keys.
   */
  public IndexKind indexKind(TableDef table) {
    return indexKind(table.columns());
  }

  /** As above, by the columns of the table. */
  public IndexKind indexKind(List<ColumnDef> of) {
    boolean ordered = columns.length > 1 || of.get(columns[0]).type().element().isFloat();
    return ordered ? IndexKind.ORDERED : IndexKind.HASH;
  }

  public KeyDef withIndexId(int id) {
    return new KeyDef(name, primary, columns, id);
  }

  public KeyDef withName(String other) {
    return new KeyDef(other, primary, columns, indexId);
  }

  public KeyDef withColumns(int[] others) {
    return new KeyDef(name, primary, others, indexId);
  }

  /** The name that a key of the table gets where none is given. */
  public static String nameOf(TableDef table, boolean primary, int[] columns) {
    if (primary) {
      return table.name() + "_PKEY";
    }
    return nameOf(table, columns) + "_KEY";
  }

  /** The names of a table and of some of its columns in one. */
  public static String nameOf(TableDef table, int[] columns) {
    StringBuilder name = new StringBuilder(table.name());
    for (int c : columns) {
      name.append('_').append(table.column(c).name());
    }
    return name.toString();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof KeyDef key
        && name.equals(key.name)
        && primary == key.primary
        && Arrays.equals(columns, key.columns)
        && indexId == key.indexId;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, primary, Arrays.hashCode(columns), indexId);
  }

  @Override
  public String toString() {
    return (primary ? "PRIMARY KEY " : "UNIQUE ") + name + Arrays.toString(columns);
  }
}
