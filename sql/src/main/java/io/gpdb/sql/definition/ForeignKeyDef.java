package io.gpdb.sql.definition;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A FOREIGN KEY: columns of this table, by their positions, whose values are those of a key of a
 * parent table.
 *
 * @param parentColumns names, in the order of {@code columns}
 * @param deferrable whether a transaction may put the check off until its end
 * @param deferred whether it does so without being asked
 * @param matchesFull whether all columns are NULL or none (MATCH FULL)
 */
@SuppressWarnings("ArrayRecordComponent") // copied in and out, compared by value
public record ForeignKeyDef(
    String name,
    int[] columns,
    String parentSchema,
    String parentTable,
    List<String> parentColumns,
    Action onDelete,
    Action onUpdate,
    boolean deferrable,
    boolean deferred,
    boolean matchesFull) {

  /** What happens to a row when its parent is deleted, or gets another key. */
  public enum Action {
    NO_ACTION,
    RESTRICT,
    CASCADE,
    SET_NULL,
    SET_DEFAULT
  }

  public ForeignKeyDef {
    columns = columns.clone();
    parentColumns = List.copyOf(parentColumns);
  }

  @Override
  public int[] columns() {
    return columns.clone();
  }

  public ForeignKeyDef withName(String other) {
    return new ForeignKeyDef(
        other,
        columns,
        parentSchema,
        parentTable,
        parentColumns,
        onDelete,
        onUpdate,
        deferrable,
        deferred,
        matchesFull);
  }

  public ForeignKeyDef withColumns(int[] others) {
    return new ForeignKeyDef(
        name,
        others,
        parentSchema,
        parentTable,
        parentColumns,
        onDelete,
        onUpdate,
        deferrable,
        deferred,
        matchesFull);
  }

  /** The same constraint where its parent has those names. */
  public ForeignKeyDef withParent(String table, List<String> names) {
    return new ForeignKeyDef(
        name,
        columns,
        parentSchema,
        table,
        names,
        onDelete,
        onUpdate,
        deferrable,
        deferred,
        matchesFull);
  }

  public ForeignKeyDef matchingFull() {
    return new ForeignKeyDef(
        name,
        columns,
        parentSchema,
        parentTable,
        parentColumns,
        onDelete,
        onUpdate,
        deferrable,
        deferred,
        true);
  }

  /** The name of the parent table. */
  public ObjectName parent() {
    return new ObjectName(parentSchema, parentTable);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ForeignKeyDef that
        && name.equals(that.name)
        && Arrays.equals(columns, that.columns)
        && parentSchema.equals(that.parentSchema)
        && parentTable.equals(that.parentTable)
        && parentColumns.equals(that.parentColumns)
        && onDelete == that.onDelete
        && onUpdate == that.onUpdate
        && deferrable == that.deferrable
        && deferred == that.deferred
        && matchesFull == that.matchesFull;
  }

  @Override
  public int hashCode() {
    return Objects.hash(name, Arrays.hashCode(columns), parentTable, parentColumns);
  }

  @Override
  public String toString() {
    return "FOREIGN KEY " + name + Arrays.toString(columns) + " REFERENCES " + parentTable;
  }
}
