package io.gpdb.sql.parser;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** One WHEN of a MERGE: of which rows it takes care, and what it does with them. */
public record MergeClause(
    Rows rows,
    @Nullable SqlNode condition,
    Action action,
    List<AssignmentClause> set,
    @Nullable SqlNodeList columns,
    SqlNodeList values,
    SqlParserPos position) {
  public MergeClause {
    set = List.copyOf(set);
  }

  /** Rows of the join of source and target. */
  public enum Rows {
    MATCHED,
    NOT_MATCHED_BY_TARGET,
    NOT_MATCHED_BY_SOURCE
  }

  /** What is done. */
  public enum Action {
    UPDATE,
    DELETE,
    INSERT,
    NOTHING
  }

  /** THEN UPDATE SET. */
  public static MergeClause update(
      boolean matched,
      boolean bySource,
      @Nullable SqlNode condition,
      List<AssignmentClause> set,
      SqlParserPos at) {
    return of(matched, bySource, condition, Action.UPDATE, set, null, SqlNodeList.EMPTY, at);
  }

  /** THEN DELETE. */
  public static MergeClause delete(
      boolean matched, boolean bySource, @Nullable SqlNode condition, SqlParserPos at) {
    return of(matched, bySource, condition, Action.DELETE, List.of(), null, SqlNodeList.EMPTY, at);
  }

  /** THEN INSERT; without values all columns take their defaults. */
  public static MergeClause insert(
      boolean matched,
      boolean bySource,
      @Nullable SqlNode condition,
      @Nullable SqlNodeList columns,
      SqlNodeList values,
      SqlParserPos at) {
    return of(matched, bySource, condition, Action.INSERT, List.of(), columns, values, at);
  }

  /** THEN DO NOTHING. */
  public static MergeClause nothing(
      boolean matched, boolean bySource, @Nullable SqlNode condition, SqlParserPos at) {
    return of(matched, bySource, condition, Action.NOTHING, List.of(), null, SqlNodeList.EMPTY, at);
  }

  private static MergeClause of(
      boolean matched,
      boolean bySource,
      @Nullable SqlNode condition,
      Action action,
      List<AssignmentClause> set,
      @Nullable SqlNodeList columns,
      SqlNodeList values,
      SqlParserPos at) {
    Rows rows =
        matched ? Rows.MATCHED : bySource ? Rows.NOT_MATCHED_BY_SOURCE : Rows.NOT_MATCHED_BY_TARGET;
    boolean insert = action == Action.INSERT;
    boolean change = action == Action.UPDATE || action == Action.DELETE;
    if ((matched && bySource)
        || (insert && rows != Rows.NOT_MATCHED_BY_TARGET)
        || (change && rows == Rows.NOT_MATCHED_BY_TARGET)) {
      throw new GpdbException(
          SqlCondition.SYNTAX,
          "such rows of MERGE have no "
              + action
              + " at line "
              + at.getLineNum()
              + ", column "
              + at.getColumnNum());
    }
    return new MergeClause(rows, condition, action, set, columns, values, at);
  }
}
