package io.gpdb.sql.statement;

import io.gpdb.sql.catalog.ForeignKeyDraft;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.Deferrability;
import io.gpdb.sql.definition.SequenceDef;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One action of ALTER TABLE. Names of columns and constraints are looked up when it is carried out,
 * for an action before it may have made them.
 */
public sealed interface AlterAction {
  /**
   * ADD COLUMN; constraints that are written with the column are actions of their own.
   *
   * @param sequence that of an identity column
   */
  record AddColumn(ColumnDef column, @Nullable SequenceDef sequence, boolean ifNotExists)
      implements AlterAction {}

  /**
   * ADD PRIMARY KEY or UNIQUE; the name is null where none is given.
   *
   * @param ofColumn whether it is written with the columns of the actions before, and is carried
   *     out only where one of them has added its column
   */
  record AddKey(
      @Nullable String name,
      boolean primary,
      List<String> columns,
      Deferrability deferrability,
      boolean ofColumn)
      implements AlterAction {
    public AddKey {
      columns = List.copyOf(columns);
    }
  }

  /** ADD CHECK with the text of the condition; the name is null where none is given. */
  record AddCheck(
      @Nullable String name, String condition, Deferrability deferrability, boolean ofColumn)
      implements AlterAction {}

  /** ADD FOREIGN KEY. */
  record AddForeignKey(ForeignKeyDraft key, boolean ofColumn) implements AlterAction {}

  /** DROP COLUMN; {@code cascade} drops what needs it, too. */
  record DropColumn(String column, boolean ifExists, boolean cascade) implements AlterAction {}

  /** RENAME COLUMN. */
  record RenameColumn(String column, String to) implements AlterAction {}

  /** RENAME TO. */
  record RenameTable(String to) implements AlterAction {}

  /** SET DATA TYPE; {@code using} is the text of what computes the new values from the old row. */
  record SetType(String column, SqlTypeSpec type, @Nullable String using) implements AlterAction {}

  /** SET DEFAULT with the text of the value, or DROP DEFAULT with null. */
  record SetDefault(String column, @Nullable String defaultSql) implements AlterAction {}

  /** SET NOT NULL or DROP NOT NULL. */
  record SetNotNull(String column, boolean notNull) implements AlterAction {}

  /** DROP CONSTRAINT; {@code cascade} drops what needs it, too. */
  record DropConstraint(String name, boolean ifExists, boolean cascade) implements AlterAction {}

  /** DROP PRIMARY KEY. */
  record DropPrimaryKey(boolean cascade) implements AlterAction {}

  /** RENAME CONSTRAINT. */
  record RenameConstraint(String name, String to) implements AlterAction {}

  /**
   * A change of an identity column; {@code sequence} is the column's as it is to be, null where it
   * stays, {@code always} null where that stays.
   */
  record ChangeIdentity(String column, @Nullable Boolean always, @Nullable SequenceDef sequence)
      implements AlterAction {}

  /** ADD GENERATED … AS IDENTITY, with a sequence that is yet to be numbered. */
  record AddIdentity(String column, boolean always, SequenceDef sequence) implements AlterAction {}

  /** DROP IDENTITY. */
  record DropIdentity(String column, boolean ifExists) implements AlterAction {}
}
