package io.gpdb.sql.parser;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/**
 * One part of a SET list: columns and as many values, or columns and the query that has their
 * values as its columns.
 */
public record AssignmentClause(List<SqlIdentifier> columns, List<SqlNode> values) {
  public AssignmentClause {
    columns = List.copyOf(columns);
    values = List.copyOf(values);
  }

  /** column = value. */
  public static AssignmentClause of(SqlIdentifier column, SqlNode value) {
    return new AssignmentClause(List.of(column), List.of(value));
  }

  /** (columns) = (values). */
  public static AssignmentClause of(SqlNodeList columns, SqlNodeList values) {
    List<SqlIdentifier> names = columns.stream().map(SqlIdentifier.class::cast).toList();
    boolean query = values.size() == 1 && isQuery(values.get(0));
    if (!query && names.size() != values.size()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "SET has "
              + names.size()
              + " columns but "
              + values.size()
              + " values at line "
              + columns.getParserPosition().getLineNum()
              + ", column "
              + columns.getParserPosition().getColumnNum());
    }
    return new AssignmentClause(names, values);
  }

  /** (columns) = (query). */
  public static AssignmentClause of(SqlNodeList columns, SqlNode query) {
    return of(columns, SqlNodeList.of(query));
  }

  /** Whether the values are the columns of one query. */
  public boolean isQuery() {
    return columns.size() > 1 && values.size() == 1;
  }

  private static boolean isQuery(SqlNode value) {
    return value.getKind() == SqlKind.SCALAR_QUERY || value.isA(SqlKind.QUERY);
  }
}
