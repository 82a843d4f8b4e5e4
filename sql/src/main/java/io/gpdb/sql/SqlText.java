package io.gpdb.sql;

import io.gpdb.sql.parser.generated.GpSqlParser;
import io.gpdb.sql.parser.generated.ParseException;
import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import java.io.Reader;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.avatica.util.Quoting;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParser;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.SourceStringReader;

/** The text of one statement: parses it and finds places in it. */
final class SqlText {
  private static final SqlParser.Config CONFIG =
      SqlParser.config()
          .withParserFactory(SqlText::parser)
          .withUnquotedCasing(Casing.TO_UPPER)
          .withQuotedCasing(Casing.UNCHANGED)
          .withQuoting(Quoting.DOUBLE_QUOTE)
          .withCaseSensitive(true)
          .withIdentifierMaxLength(SqlLimits.NAME_LENGTH_MAX)
          .withConformance(GpConformance.INSTANCE);

  private final String sql;

  SqlText(String sql) {
    if (sql.length() > SqlLimits.STATEMENT_LENGTH_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "statement too long: characters="
              + sql.length()
              + ", limit="
              + SqlLimits.STATEMENT_LENGTH_MAX);
    }
    Utf8.requireCharacters(sql);
    this.sql = EscapeClauses.blanked(withoutEnd(sql));
    WrittenNumbers.requireEnds(this.sql);
    if (this.sql.isBlank()) {
      throw new GpdbException(ErrorCode.SYNTAX, "the statement is empty");
    }
  }

  /** Drops blanks and semicolons at the end, which the grammar of one statement lacks. */
  private static String withoutEnd(String sql) {
    int end = sql.length();
    while (end > 0 && (sql.charAt(end - 1) == ';' || Character.isWhitespace(sql.charAt(end - 1)))) {
      end--;
    }
    return sql.substring(0, end);
  }

  private static GpSqlParser parser(Reader text) {
    GpSqlParser parser = new Parser(text);
    if (text instanceof SourceStringReader source) {
      parser.setOriginalSql(source.getSourceString());
    }
    return parser;
  }

  /** Keeps the exception with the tokens, which Calcite drops where a keyword stands. */
  private static final class Parser extends GpSqlParser {
    Parser(Reader text) {
      super(text);
    }

    @Override
    public SqlParseException normalizeException(Throwable thrown) {
      SqlParseException normal = super.normalizeException(thrown);
      return thrown instanceof ParseException original && !original.equals(normal.getCause())
          ? new SqlParseException(normal.getMessage(), normal.getPos(), null, null, original)
          : normal;
    }
  }

  String sql() {
    return sql;
  }

  SqlNode statement() throws SqlParseException {
    return SqlParser.create(sql, CONFIG).parseStmt();
  }

  static SqlNode expression(String text) throws SqlParseException {
    return SqlParser.create(text, CONFIG).parseExpression();
  }

  /** The characters of a node of the statement. */
  String at(SqlParserPos position) {
    int from = offset(position.getLineNum(), position.getColumnNum());
    int to = offset(position.getEndLineNum(), position.getEndColumnNum());
    return sql.substring(from, Math.min(sql.length(), to + 1));
  }

  private int offset(int line, int column) {
    int start = 0;
    for (int i = 1; i < line; i++) {
      start = sql.indexOf('\n', start) + 1;
    }
    return start + column - 1;
  }
}
