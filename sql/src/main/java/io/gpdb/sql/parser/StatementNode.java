package io.gpdb.sql.parser;

import java.util.List;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlSpecialOperator;
import org.apache.calcite.sql.SqlWriter;
import org.apache.calcite.sql.parser.SqlParserPos;

/** The root of the syntax tree of a statement that gpDB's grammar adds. */
public final class StatementNode extends SqlCall {
  private static final SqlOperator OPERATOR =
      new SqlSpecialOperator("GPDB STATEMENT", SqlKind.OTHER);

  private final ParsedStatement statement;

  public StatementNode(SqlParserPos position, ParsedStatement statement) {
    super(position);
    this.statement = statement;
  }

  public ParsedStatement statement() {
    return statement;
  }

  @Override
  public SqlOperator getOperator() {
    return OPERATOR;
  }

  @Override
  public List<SqlNode> getOperandList() {
    return List.of();
  }

  @Override
  public void unparse(SqlWriter writer, int leftPrecedence, int rightPrecedence) {
    writer.print(statement.getClass().getSimpleName());
  }
}
