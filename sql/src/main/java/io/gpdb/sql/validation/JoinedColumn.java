package io.gpdb.sql.validation;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * A column of joined tables.
 *
 * @param name its name without a table
 * @param sources the columns of tables whose first value that is not NULL is its value
 * @param isCommon whether NATURAL or USING made it of two
 */
record JoinedColumn(String name, List<List<String>> sources, boolean isCommon) {
  static JoinedColumn of(String table, String name) {
    return new JoinedColumn(name, List.of(List.of(table, name)), false);
  }

  /** The column that a FULL JOIN makes of two. */
  static JoinedColumn either(JoinedColumn left, JoinedColumn right) {
    List<List<String>> sources = new ArrayList<>(left.sources);
    sources.addAll(right.sources);
    return new JoinedColumn(left.name, sources, true);
  }

  JoinedColumn asCommon() {
    return new JoinedColumn(name, sources, true);
  }

  /** A new expression of its value. */
  SqlNode node(SqlParserPos at) {
    List<SqlNode> columns =
        sources.stream().map(names -> (SqlNode) new SqlIdentifier(names, at)).toList();
    return columns.size() == 1
        ? columns.getFirst()
        : SqlStdOperatorTable.COALESCE.createCall(at, columns);
  }

  /** A new item of a select list, which has its name. */
  SqlNode item(SqlParserPos at) {
    SqlNode value = node(at);
    return value instanceof SqlIdentifier ? value : named(value, name, at);
  }

  static SqlNode named(SqlNode value, String name, SqlParserPos at) {
    return SqlStdOperatorTable.AS.createCall(at, value, new SqlIdentifier(name, at));
  }
}
