package io.gpdb.sql.parser;

import java.util.List;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** One action of ALTER TABLE as it is written. */
public sealed interface AlterClause {
  /** ADD of columns with their constraints, or of constraints. */
  record Add(List<ColumnClause> columns, List<ConstraintClause> constraints, boolean ifNotExists)
      implements AlterClause {}

  /** DROP COLUMN. */
  record DropColumn(SqlIdentifier column, boolean ifExists, boolean cascade)
      implements AlterClause {}

  /** RENAME COLUMN. */
  record RenameColumn(SqlIdentifier column, SqlIdentifier to) implements AlterClause {}

  /** RENAME TO. */
  record RenameTable(SqlIdentifier to) implements AlterClause {}

  /** SET DATA TYPE; {@code using} computes the new values from the old row. */
  record SetType(SqlIdentifier column, SqlDataTypeSpec type, @Nullable SqlNode using)
      implements AlterClause {}

  /** SET DEFAULT, or DROP DEFAULT where there is no value. */
  record SetDefault(SqlIdentifier column, @Nullable SqlNode value) implements AlterClause {}

  /** SET NOT NULL or DROP NOT NULL. */
  record SetNotNull(SqlIdentifier column, boolean notNull) implements AlterClause {}

  /** DROP CONSTRAINT. */
  record DropConstraint(SqlIdentifier name, boolean ifExists, boolean cascade)
      implements AlterClause {}

  /** DROP PRIMARY KEY. */
  record DropPrimaryKey(boolean cascade, SqlParserPos position) implements AlterClause {}

  /** RENAME CONSTRAINT. */
  record RenameConstraint(SqlIdentifier name, SqlIdentifier to) implements AlterClause {}

  /** SET GENERATED, SET of a sequence's option, or RESTART; null where ALWAYS is not spoken of. */
  record ChangeIdentity(SqlIdentifier column, @Nullable Boolean always, SequenceOptions options)
      implements AlterClause {}

  /** ADD GENERATED … AS IDENTITY. */
  record AddIdentity(SqlIdentifier column, boolean always, SequenceOptions options)
      implements AlterClause {}

  /** DROP IDENTITY. */
  record DropIdentity(SqlIdentifier column, boolean ifExists) implements AlterClause {}
}
