package io.gpdb.sql.parser;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/**
 * What an INSERT does with a row whose key exists. The key is named by its columns, by its
 * constraint, or not at all.
 */
public record ConflictClause(
    Action action,
    @Nullable SqlNodeList columns,
    @Nullable SqlIdentifier constraint,
    List<AssignmentClause> set,
    @Nullable SqlNode where,
    SqlParserPos position) {
  public ConflictClause {
    set = List.copyOf(set);
  }

  /** What becomes of the row and of the one that has its key. */
  public enum Action {
    /** The row is left out. */
    NOTHING,
    /** The rows that have one of its keys are deleted. */
    REPLACE,
    /** The existing row is updated by the SET list. */
    UPDATE,
    /** The existing row takes all values given that do not belong to the key. */
    VALUES
  }

  /** INSERT OR REPLACE. */
  public static ConflictClause replace(SqlParserPos position) {
    return new ConflictClause(Action.REPLACE, null, null, List.of(), null, position);
  }

  /** INSERT OR IGNORE. */
  public static ConflictClause ignore(SqlParserPos position) {
    return new ConflictClause(Action.NOTHING, null, null, List.of(), null, position);
  }

  /** MERGE INTO t KEY (columns) of H2; the primary key where there are no columns. */
  public static ConflictClause values(@Nullable SqlNodeList key, SqlParserPos position) {
    return new ConflictClause(Action.VALUES, key, null, List.of(), null, position);
  }

  /** ON CONFLICT DO NOTHING; {@code before} is an OR clause of the same statement. */
  public static ConflictClause nothing(
      @Nullable ConflictClause before,
      @Nullable SqlNodeList columns,
      @Nullable SqlIdentifier constraint,
      SqlParserPos position) {
    requireOne(before, position);
    return new ConflictClause(Action.NOTHING, columns, constraint, List.of(), null, position);
  }

  /** ON CONFLICT DO UPDATE. */
  public static ConflictClause update(
      @Nullable ConflictClause before,
      @Nullable SqlNodeList columns,
      @Nullable SqlIdentifier constraint,
      List<AssignmentClause> set,
      @Nullable SqlNode where,
      SqlParserPos position) {
    requireOne(before, position);
    return new ConflictClause(Action.UPDATE, columns, constraint, set, where, position);
  }

  private static void requireOne(@Nullable ConflictClause before, SqlParserPos position) {
    if (before != null) {
      throw new GpdbException(
          SqlCondition.SYNTAX,
          "INSERT OR and ON CONFLICT in one statement at line "
              + position.getLineNum()
              + ", column "
              + position.getColumnNum());
    }
  }
}
