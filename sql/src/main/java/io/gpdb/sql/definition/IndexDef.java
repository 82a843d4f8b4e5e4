package io.gpdb.sql.definition;

import io.gpdb.storage.column.IndexKind;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An index made by CREATE INDEX, or for a DEFERRABLE key, over columns, which are listed by their
 * positions in the table.
 *
 * @param descending for each column
 * @param indexId the ordinal of the stored index
 * @param key where it is that of a DEFERRABLE key
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out, compared by value
public record IndexDef(
    String name,
    IndexKind kind,
    boolean unique,
    int[] columns,
    boolean[] descending,
    int indexId,
    @Nullable DeferrableKey key) {
  /** One made by CREATE INDEX. */
  public IndexDef(
      String name,
      IndexKind kind,
      boolean unique,
      int[] columns,
      boolean[] descending,
      int indexId) {
    this(name, kind, unique, columns, descending, indexId, null);
  }

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

  /** The index that finds the rows of a DEFERRABLE key. */
  public static IndexDef ofKey(KeyDef key, Deferrability deferrability) {
    int[] columns = key.columns();
    return new IndexDef(
        key.name(),
        IndexKind.HASH,
        false,
        columns,
        new boolean[columns.length],
        key.indexId(),
        new DeferrableKey(key.primary(), deferrability));
  }

  /** The same as a key, of which messages and metadata speak. */
  public KeyDef asKey() {
    return new KeyDef(name, key != null && key.primary(), columns, indexId);
  }

  /** The same where it is that of a DEFERRABLE key. */
  public IndexDef withKey(DeferrableKey other) {
    return new IndexDef(name, kind, unique, columns, descending, indexId, other);
  }

  public IndexDef withIndexId(int id) {
    return new IndexDef(name, kind, unique, columns, descending, id, key);
  }

  public IndexDef withName(String other) {
    return new IndexDef(other, kind, unique, columns, descending, indexId, key);
  }

  public IndexDef withColumns(int[] others) {
    return new IndexDef(name, kind, unique, others, descending, indexId, key);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof IndexDef index
        && name.equals(index.name)
        && kind == index.kind
        && unique == index.unique
        && Arrays.equals(columns, index.columns)
        && Arrays.equals(descending, index.descending)
        && indexId == index.indexId
        && Objects.equals(key, index.key);
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
