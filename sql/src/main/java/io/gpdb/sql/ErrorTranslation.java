package io.gpdb.sql;

import io.gpdb.sql.parser.generated.GpSqlParserConstants;
import io.gpdb.sql.parser.generated.ParseException;
import io.gpdb.sql.parser.generated.Token;
import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import java.util.Collection;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** Turns whatever Calcite throws into a {@link GpdbException} that a user can read. */
final class ErrorTranslation {
  private static final int EXPECTED_NAMES_MAX = 4;
  private static final int MESSAGE_LENGTH_MAX = 400;
  private static final Pattern LEXICAL =
      Pattern.compile(
          "(?s).*Lexical error at line (\\d+), column (\\d+)\\.\\s*Encountered: (\"(?:[^\"]|\\\\\")*\").*");
  private static final Pattern KEYWORD =
      Pattern.compile("(?s)Incorrect syntax near the keyword '(.*?)'.*");
  private static final Pattern OBJECT = Pattern.compile("Object '([^']*)' not found.*");
  private static final Pattern TABLE = Pattern.compile("Table '([^']*)' not found.*");
  private static final Pattern COLUMN =
      Pattern.compile("(?:Column|Field) '([^']*)' not found in (any table|table '([^']*)').*");
  private static final Pattern UNKNOWN_FUNCTION =
      Pattern.compile("No match found for function signature (.*)");
  private static final Pattern CAST =
      Pattern.compile(
          "Cast function cannot convert value of type (.+?)(?: NOT NULL)? to type (.+?)(?: NOT"
              + " NULL)?");
  private static final Pattern UNKNOWN_TYPE =
      Pattern.compile("Unknown (?:datatype name|identifier) '([^']*)'");

  private final String sql;
  private final CatalogSnapshot catalog;

  ErrorTranslation(String sql, CatalogSnapshot catalog) {
    this.sql = sql;
    this.catalog = catalog;
  }

  GpdbException translate(Throwable thrown) {
    for (Throwable t = thrown; t != null; t = t.getCause()) {
      if (t instanceof GpdbException own) {
        return own;
      }
      if (t instanceof StackOverflowError) {
        return new GpdbException(
            ErrorCode.LIMIT_EXCEEDED, "the statement is nested too deeply", thrown);
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
    if (thrown instanceof UnsupportedOperationException) {
      return new GpdbException(
          ErrorCode.NOT_SUPPORTED, "not supported: " + shortened(thrown), thrown);
    }
    if (thrown instanceof VirtualMachineError fatal) {
      throw fatal;
    }
    return new GpdbException(
        ErrorCode.INTERNAL, "cannot analyse the statement: " + shortened(thrown), thrown);
  }

  private static String shortened(Throwable thrown) {
    String message = thrown.getMessage();
    String text = message == null ? thrown.getClass().getSimpleName() : firstLine(message);
    return text.length() > MESSAGE_LENGTH_MAX ? text.substring(0, MESSAGE_LENGTH_MAX) : text;
  }

  private static GpdbException syntax(SqlParseException parse) {
    if (parse.getCause() instanceof ParseException javacc && javacc.currentToken != null) {
      Token token = javacc.currentToken.next;
      String place = place(token.beginLine, token.beginColumn);
      return error(
          ErrorCode.SYNTAX, "syntax error: " + unexpected(token) + expected(parse), place, parse);
    }
    String message = String.valueOf(parse.getMessage());
    Matcher lexical = LEXICAL.matcher(message);
    if (lexical.matches()) {
      return error(
          ErrorCode.SYNTAX,
          "syntax error: unexpected character " + lexical.group(3),
          place(lexical.group(1), lexical.group(2)),
          parse);
    }
    SqlParserPos at = parse.getPos();
    String place = at == null ? "" : place(at.getLineNum(), at.getColumnNum());
    Matcher keyword = KEYWORD.matcher(message);
    String what =
        keyword.matches()
            ? "syntax error near \"" + keyword.group(1) + '"'
            : "syntax error: " + withoutPlace(message);
    return error(ErrorCode.SYNTAX, what, place, parse);
  }

  private static String unexpected(Token token) {
    if (token.kind == GpSqlParserConstants.EOF) {
      return "unexpected end of the statement";
    }
    if (token.image.equals("'") || token.image.equals("\"")) {
      return "the quote is not closed";
    }
    return "unexpected \"" + token.image + '"';
  }

  private static String expected(SqlParseException parse) {
    Collection<String> names = parse.getExpectedTokenNames();
    if (names == null || names.isEmpty() || names.size() > EXPECTED_NAMES_MAX) {
      return "";
    }
    return ", expected " + String.join(" or ", names);
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
    m = COLUMN.matcher(message);
    if (m.matches()) {
      String where = m.group(3) == null ? "" : " in table " + m.group(3);
      return error(
          ErrorCode.COLUMN_NOT_FOUND,
          "column "
              + m.group(1)
              + " does not exist"
              + where
              + Suggestions.column(m.group(1), sql, catalog),
          place,
          context);
    }
    m = UNKNOWN_FUNCTION.matcher(message);
    if (m.matches()) {
      return error(
          ErrorCode.INVALID_STATEMENT,
          "function " + m.group(1).replace("<", "").replace(">", "") + " does not exist",
          place,
          context);
    }
    m = UNKNOWN_TYPE.matcher(message);
    if (m.matches()) {
      return error(
          ErrorCode.NOT_SUPPORTED, "type " + m.group(1) + " is not supported", place, context);
    }
    m = CAST.matcher(message);
    if (m.matches()) {
      return error(
          ErrorCode.TYPE_MISMATCH, m.group(1) + " cannot be cast to " + m.group(2), place, context);
    }
    return error(code(message), readable(message), place, context);
  }

  private GpdbException missingTable(String name, String place, Throwable cause) {
    return error(
        ErrorCode.TABLE_NOT_FOUND,
        "table " + name + " does not exist" + Suggestions.table(name, catalog),
        place,
        cause);
  }

  private static ErrorCode code(String message) {
    String lower = message.toLowerCase(Locale.ROOT);
    if (lower.contains("cannot apply")
        || lower.contains("type mismatch")
        || lower.contains("illegal mixing of types")
        || lower.contains("cast function cannot convert")
        || lower.contains("not comparable")
        || lower.contains("values passed to")) {
      return ErrorCode.TYPE_MISMATCH;
    }
    if (lower.contains("out of range")) {
      return ErrorCode.NUMERIC_OUT_OF_RANGE;
    }
    if (lower.contains("not supported") || lower.contains("unsupported")) {
      return ErrorCode.NOT_SUPPORTED;
    }
    if (lower.contains("illegal date") || lower.contains("illegal time")) {
      return ErrorCode.INVALID_DATETIME;
    }
    return ErrorCode.INVALID_STATEMENT;
  }

  /** Drops what only Calcite's developers can use. */
  private static String readable(String message) {
    String text = message;
    int forms = text.indexOf(" Supported form(s)");
    if (forms > 0) {
      text = text.substring(0, forms);
    }
    text = text.replaceAll("<([A-Z_]+(?:\\([^)]*\\))?(?: NOT NULL)?)>", "$1");
    text = text.strip();
    return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
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
    return " at line " + line + ", column " + column;
  }

  private static GpdbException error(
      ErrorCode code, String message, String place, @Nullable Throwable cause) {
    return new GpdbException(code, message + place, cause);
  }
}
