package io.gpdb.sql.definition;

import io.gpdb.storage.column.IndexKind;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An index made by CREATE INDEX over columns, which are listed by their positions in the table.
 *
 * @param descending for each column
 * @param indexId the ordinal of the stored index
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out, compared by value
public record IndexDef(
    String name, IndexKind kind, boolean unique, int[] columns, boolean[] descending, int indexId) {
  public IndexDef {
    columns = columns.clone();
    descending = descending.clone();
  }

  @Override
  public int[] columns() {
    return columns.clone();
  }

  @Override
  public boolean[] descending() {
    return descending.clone();
  }

  public IndexDef withIndexId(int id) {
    return new IndexDef(name, kind, unique, columns, descending, id);
  }

  public IndexDef withName(String other) {
    return new IndexDef(other, kind, unique, columns, descending, indexId);
  }

  public IndexDef withColumns(int[] others) {
    return new IndexDef(name, kind, unique, others, descending, indexId);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IndexDef index
        && name.equals(index.name)
        && kind == index.kind
        && unique == index.unique
        && Arrays.equals(columns, index.columns)
        && Arrays.equals(descending, index.descending)
        && indexId == index.indexId;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, unique, Arrays.hashCode(columns), indexId);
  }

  @Override
  public String toString() {
    return (unique ? "UNIQUE INDEX " : "INDEX ") + name + Arrays.toString(columns);
  }
}
