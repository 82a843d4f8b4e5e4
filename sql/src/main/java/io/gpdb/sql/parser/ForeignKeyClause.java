package io.gpdb.sql.parser;

import io.gpdb.sql.definition.ForeignKeyDef;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * FOREIGN KEY … REFERENCES; without parent columns the parent's primary key is meant.
 *
 * @param position from REFERENCES on
 * @param whole all of it, with its name and the comma before it; null where a comma is behind it
 */
public record ForeignKeyClause(
    @Nullable SqlIdentifier name,
    SqlNodeList columns,
    SqlIdentifier parent,
    @Nullable SqlNodeList parentColumns,
    Rules rules,
    Deferral deferral,
    boolean full,
    SqlParserPos position,
    @Nullable SqlParserPos whole)
    implements ConstraintClause {

  /** Whether rows may not be NULL in part, which one column never is. */
  public boolean matchesFull() {
    return full && columns.size() > 1;
  }

  /** ON DELETE and ON UPDATE, in either order, each at most once. */
  public static final class Rules {
    private ForeignKeyDef.@Nullable Action onDelete;
    private ForeignKeyDef.@Nullable Action onUpdate;

    /** Sees ON DELETE. */
    public void onDelete(ForeignKeyDef.Action action, SqlIdentifier place) {
      ParseErrors.require(onDelete == null, "ON DELETE is given twice", place);
      onDelete = action;
    }

    /** Sees ON UPDATE. */
    public void onUpdate(ForeignKeyDef.Action action, SqlIdentifier place) {
      ParseErrors.require(onUpdate == null, "ON UPDATE is given twice", place);
      onUpdate = action;
    }

    public ForeignKeyDef.Action onDelete() {
      return onDelete == null ? ForeignKeyDef.Action.NO_ACTION : onDelete;
    }

    public ForeignKeyDef.Action onUpdate() {
      return onUpdate == null ? ForeignKeyDef.Action.NO_ACTION : onUpdate;
    }
  }
}
