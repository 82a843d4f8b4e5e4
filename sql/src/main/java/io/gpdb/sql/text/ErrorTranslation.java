package io.gpdb.sql.text;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.catalog.Suggestions;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.generated.ParseException;
import io.gpdb.sql.parser.generated.Token;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.ErrorCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Turns whatever Calcite throws into a {@link GpdbException} that a user can read. */
public final class ErrorTranslation {
  private static final int MESSAGE_LENGTH_MAX = 400;
  private static final int WORD_LENGTH_MAX = 64;
  private static final Pattern LEXICAL =
      Pattern.compile(
          "(?s).*Lexical error at line (\\d+), column (\\d+)\\.\\s*Encountered:"
              + " (\"(?:[^\"]|\\\\\")*\").*");

  /** An operator without what it belongs to. */
  private static final Pattern OPERATOR = Pattern.compile("class org\\.apache\\.\\S+: (\\w+)");

  private static final Pattern KEYWORD =
      Pattern.compile("(?s)Incorrect syntax near the keyword '(.*?)'.*");
  private static final Pattern NOT_ALLOWED =
      Pattern.compile(
          "'?([A-Z][\\w ,.]*?)'? is not allowed under the current SQL conformance level"
              + "|(?:the )?(GEOMETRY) data type are not enabled");
  private static final Pattern OBJECT = Pattern.compile("Object '([^']*)' not found.*");
  private static final Pattern TABLE = Pattern.compile("Table '([^']*)' not found.*");

  /** Calcite says so of the name of a type, and of what is written before .* and is no table. */
  private static final Pattern IDENTIFIER = Pattern.compile("Unknown identifier '([^']*)'.*");

  private static final String WORD = "(?:\"[^\"]*\"|[^\\s.\"*(),]+)";
  private static final Pattern ALL_COLUMNS =
      Pattern.compile(WORD + "(?:\\s*\\.\\s*" + WORD + ")*\\s*\\.\\s*\\*");

  private static final Pattern COLUMN =
      Pattern.compile("(?:Column|Field) '([^']*)' not found in (any table|table '([^']*)').*");
  private static final Pattern NO_ARGUMENTS = Pattern.compile("(?i)\\bCOALESCE\\s*\\(\\s*\\)");

  private final SqlText text;
  private final String sql;
  private final CatalogSnapshot catalog;

  public ErrorTranslation(SqlText text, CatalogSnapshot catalog) {
    this.text = text;
    this.sql = text.sql();
    this.catalog = catalog;
  }

  public GpdbException translate(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof GpdbException own) {
        return own;
      }
      if (t instanceof StackOverflowError) {
        return new GpdbException(
            ErrorCode.TOO_COMPLEX, "the statement is nested too deeply", thrown);
      }
      if (t instanceof SqlParseException parse && !hasReadableCause(parse)) {
        return syntax(parse);
      }
      if (t instanceof CalciteContextException context) {
        return invalid(context);
      }
    }
    return unexpected(thrown);
  }

  private static boolean hasReadableCause(SqlParseException parse) {
    return parse.getCause() instanceof GpdbException
        || parse.getCause() instanceof StackOverflowError;
  }

  private GpdbException unexpected(Throwable thrown) {
    if (thrown instanceof IllegalArgumentException
        && String.valueOf(thrown.getMessage()).endsWith(" due to overflow")) {
      return new GpdbException(ErrorCode.NUMERIC_OUT_OF_RANGE, shortened(thrown), thrown);
    }
    if (NO_ARGUMENTS.matcher(sql).find()) {
      return new GpdbException(
          SqlCondition.INVALID_STATEMENT, "COALESCE needs at least one value", thrown);
    }
    return CalciteFaults.of(thrown);
  }

  private static String shortened(Throwable thrown) {
    String message = thrown.getMessage();
    return shortened(message == null ? thrown.getClass().getSimpleName() : firstLine(message));
  }

  private static String shortened(String message) {
    return message.length() > MESSAGE_LENGTH_MAX
        ? message.substring(0, MESSAGE_LENGTH_MAX) + "…"
        : message;
  }

  private GpdbException syntax(SqlParseException parse) {
    if (parse.getCause() instanceof ParseException javacc && javacc.currentToken != null) {
      return unexpected(UnexpectedToken.of(javacc), parse);
    }
    SqlParserPos at = parse.getPos();
    int[] places =
        at == null ? new int[0] : new int[] {text.offset(at.getLineNum(), at.getColumnNum())};
    return UnsupportedStatements.explain(sql, refused(parse), places);
  }

  private GpdbException unexpected(UnexpectedToken at, SqlParseException parse) {
    GpdbException error =
        error(
            SqlCondition.SYNTAX,
            "syntax error: " + at.words(),
            place(at.token().beginLine, at.token().beginColumn),
            parse);
    return UnsupportedStatements.explain(sql, error, offset(at.token()), offset(at.before()));
  }

  /** The place of a token; the start of the statement for what precedes its first. */
  private int offset(Token token) {
    return token.beginLine == 0 ? 0 : text.offset(token.beginLine, token.beginColumn);
  }

  /** What the scanner refuses, or an action of the grammar. */
  private GpdbException refused(SqlParseException parse) {
    String message = parse.getMessage();
    if (message == null) { // Calcite found no operand where it put together an expression
      return error(
          SqlCondition.SYNTAX,
          "syntax error in an expression: an operand that begins with NOT or another operator needs"
              + " parentheses",
          placeOf(parse),
          parse);
    }
    Matcher lexical = LEXICAL.matcher(message);
    if (lexical.matches()) {
      return error(
          SqlCondition.SYNTAX,
          "syntax error: unexpected character " + lexical.group(3),
          place(lexical.group(1), lexical.group(2)),
          parse);
    }
    if (message.contains("Encountered: <EOF>")) {
      return error(
          SqlCondition.SYNTAX, "syntax error: a comment is not closed", placeOf(parse), parse);
    }
    Matcher refused = NOT_ALLOWED.matcher(message);
    if (refused.find()) {
      return error(
          ErrorCode.NOT_SUPPORTED,
          (refused.group(1) == null ? "type GEOMETRY" : refused.group(1)) + " is not supported",
          placeOf(parse),
          parse);
    }
    SqlParserPos at = parse.getPos();
    String place = placeOf(parse);
    if (at != null && message.contains("Non-query expression encountered")) {
      return error(
          SqlCondition.SYNTAX,
          "syntax error: a statement cannot begin with " + word(at),
          place,
          parse);
    }
    Matcher operator = OPERATOR.matcher(message);
    if (operator.find()) {
      return error(
          SqlCondition.SYNTAX, "syntax error: misplaced " + operator.group(1), place, parse);
    }
    Matcher keyword = KEYWORD.matcher(message);
    String what =
        keyword.matches()
            ? "syntax error near \"" + keyword.group(1) + '"'
            : "syntax error: " + withoutPlace(message);
    return error(SqlCondition.SYNTAX, what, place, parse);
  }

  private static String placeOf(SqlParseException parse) {
    SqlParserPos at = parse.getPos();
    return at == null ? "" : place(at.getLineNum(), at.getColumnNum());
  }

  /** The word at a place of the statement. */
  private String word(SqlParserPos at) {
    int start = text.offset(at.getLineNum(), at.getColumnNum());
    String rest = sql.substring(start, Math.min(sql.length(), start + WORD_LENGTH_MAX));
    return '"' + rest.strip().split("[\\s(;]", 2)[0] + '"';
  }

  private GpdbException invalid(CalciteContextException context) {
    Throwable cause = context.getCause();
    String message = cause == null ? String.valueOf(context.getMessage()) : shortened(cause);
    String place = place(context.getPosLine(), context.getPosColumn());
    Matcher m = OBJECT.matcher(message);
    if (m.matches()) {
      return missingTable(m.group(1), place, context);
    }
    m = TABLE.matcher(message);
    if (m.matches()) {
      return missingTable(m.group(1), place, context);
    }
    m = IDENTIFIER.matcher(message);
    if (m.matches() && isAllColumns(context)) {
      return missingTable(m.group(1), place, context);
    }
    m = COLUMN.matcher(message);
    if (m.matches()) {
      String where = m.group(3) == null ? "" : " in table " + m.group(3);
      return error(
          SqlCondition.COLUMN_NOT_FOUND,
          "column "
              + m.group(1)
              + " does not exist"
              + where
              + Suggestions.column(m.group(1), sql, catalog),
          place,
          context);
    }
    ValidationMessages said = ValidationMessages.of(message);
    return error(said.code(), said.words(), place, context);
  }

  private boolean isAllColumns(CalciteContextException context) {
    int start = text.offset(context.getPosLine(), context.getPosColumn());
    return ALL_COLUMNS.matcher(sql).region(start, sql.length()).lookingAt();
  }

  private GpdbException missingTable(String name, String place, Throwable cause) {
    boolean exists = catalog.tables().stream().anyMatch(table -> table.name().equals(name));
    return error(
        ErrorCode.TABLE_NOT_FOUND,
        exists
            ? "table " + name + " is not in FROM here under that name"
            : "table " + name + " does not exist" + Suggestions.table(name, catalog),
        place,
        cause);
  }

  private static String withoutPlace(String message) {
    String text = message.replaceFirst("(?s)^(From line|At line).*?: ", "");
    String plain = firstLine(text.replaceAll(" at line \\d+, column \\d+", ""));
    return plain.endsWith(".") ? plain.substring(0, plain.length() - 1) : plain;
  }

  private static String firstLine(String text) {
    int end = text.indexOf('\n');
    return (end < 0 ? text : text.substring(0, end)).strip();
  }

  private static String place(Object line, Object column) {
    return line.equals(0) ? "" : " at line " + line + ", column " + column;
  }

  private static GpdbException error(
      ErrorCondition code, String message, String place, @Nullable Throwable cause) {
    return new GpdbException(code, shortened(message) + place, cause);
  }
}
