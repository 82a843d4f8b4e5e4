package io.gpdb.sql.text;

import io.gpdb.sql.dialect.GpConformance;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.generated.GpSqlParser;
import io.gpdb.sql.parser.generated.ParseException;
import io.gpdb.sql.parser.generated.Token;
import io.gpdb.sql.type.SqlLimits;
import io.gpdb.sql.type.Utf8;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.util.SourceStringReader;
import org.jspecify.annotations.Nullable;

/** The text of one statement: parses it and finds places in it. */
public final class SqlText {
  private final String sql;
  private int @Nullable [] lineStarts;

  public SqlText(String sql) {
    if (sql.length() > SqlLimits.STATEMENT_LENGTH_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "statement too long: characters="
              + sql.length()
              + ", limit="
              + SqlLimits.STATEMENT_LENGTH_MAX);
    }
    Utf8.requireCharacters(sql);
    this.sql = EscapeClauses.blanked(withoutEnd(UnicodeEscapes.ofFourDigits(sql)));
    WrittenNumbers.requireEnds(this.sql);
    if (this.sql.isBlank()) {
      throw new GpdbException(SqlCondition.SYNTAX, "the statement is empty");
    }
    StatementComplexity.check(this.sql);
  }

  /** Drops blanks and semicolons at the end, which the grammar of one statement lacks. */
  private static String withoutEnd(String sql) {
    int end = sql.length();
    while (end > 0 && (sql.charAt(end - 1) == ';' || Character.isWhitespace(sql.charAt(end - 1)))) {
      end--;
    }
    return sql.substring(0, end);
  }

  /** Says where the parser stopped; what it expected there is not kept track of. */
  private static final class Parser extends GpSqlParser {
    /** Set as Calcite's {@code SqlParser} sets it, which would load Calcite's own grammar first. */
    Parser(String text) {
      super(new SourceStringReader(text));
      setOriginalSql(text);
      setTabSize(1);
      setUnquotedCasing(Casing.TO_UPPER);
      setQuotedCasing(Casing.UNCHANGED);
      setIdentifierMaxLength(SqlLimits.NAME_LENGTH_MAX);
      setConformance(GpConformance.INSTANCE);
      switchTo(LexicalState.DQID);
    }

    private SqlParseException failure(Throwable thrown) {
      if (thrown instanceof CalciteContextException placed) {
        placed.setOriginalStatement(getOriginalSql());
      }
      return normalizeException(thrown);
    }

    @Override
    public ParseException generateParseException() {
      ParseException failure = new ParseException();
      failure.currentToken = token;
      return failure;
    }

    @Override
    public SqlParseException normalizeException(Throwable thrown) {
      return thrown instanceof ParseException failure && failure.currentToken != null
          ? new SqlParseException(null, position(failure), null, null, failure)
          : super.normalizeException(thrown);
    }

    private static SqlParserPos position(ParseException failure) {
      Token at = UnexpectedToken.of(failure).token();
      return new SqlParserPos(at.beginLine, at.beginColumn, at.endLine, at.endColumn);
    }
  }

  /** The whole statement. */
  public String sql() {
    return sql;
  }

  public SqlNode statement() throws SqlParseException {
    Parser parser = new Parser(sql);
    try {
      return parser.parseSqlStmtEof();
    } catch (Throwable thrown) {
      throw parser.failure(thrown);
    }
  }

  public static SqlNode expression(String text) throws SqlParseException {
    Parser parser = new Parser(text);
    try {
      return parser.parseSqlExpressionEof();
    } catch (Throwable thrown) {
      throw parser.failure(thrown);
    }
  }

  /** The characters of a node of the statement. */
  public String at(SqlParserPos position) {
    int from = offset(position.getLineNum(), position.getColumnNum());
    int to = offset(position.getEndLineNum(), position.getEndColumnNum());
    return sql.substring(from, Math.clamp(to + 1, from, sql.length()));
  }

  /** As above, with other texts in the places of some nodes in it. */
  public String replaced(SqlParserPos position, Map<SqlParserPos, String> parts) {
    int from = offset(position.getLineNum(), position.getColumnNum());
    int to = offset(position.getEndLineNum(), position.getEndColumnNum());
    TreeMap<Integer, SqlParserPos> inOrder = new TreeMap<>();
    parts.keySet().forEach(at -> inOrder.put(offset(at.getLineNum(), at.getColumnNum()), at));
    StringBuilder text = new StringBuilder();
    int next = from;
    for (Map.Entry<Integer, SqlParserPos> part : inOrder.entrySet()) {
      SqlParserPos at = part.getValue();
      text.append(sql, next, part.getKey()).append(parts.get(at));
      next = offset(at.getEndLineNum(), at.getEndColumnNum()) + 1;
    }
    return text.append(sql, next, Math.clamp(to + 1, next, sql.length())).toString();
  }

  /** Where a place of the statement is, as the parser counts lines and columns. */
  int offset(int line, int column) {
    int[] starts = lineStarts;
    if (starts == null) {
      starts = lineStarts(sql);
      lineStarts = starts;
    }
    return Math.min(sql.length(), starts[Math.min(line, starts.length) - 1] + column - 1);
  }

  /** Lines end with {@code \n}, {@code \r} or both. */
  private static int[] lineStarts(String text) {
    int[] starts = new int[16];
    int lines = 1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n' || (c == '\r' && !text.startsWith("\n", i + 1))) {
        if (lines == starts.length) {
          starts = Arrays.copyOf(starts, 2 * lines);
        }
        starts[lines++] = i + 1;
      }
    }
    return Arrays.copyOf(starts, lines);
  }
}
