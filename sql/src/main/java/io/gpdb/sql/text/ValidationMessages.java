package io.gpdb.sql.text;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.ErrorCondition;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;

/** What Calcite's validator says, in the words of gpDB and with an SQLSTATE. */
final class ValidationMessages {
  /** A message of Calcite; the words for it may name its groups. */
  private record Rule(Pattern message, ErrorCondition code, String words) {
    Rule(String message, ErrorCondition code, String words) {
      this(Pattern.compile("(?s)" + message + "\\.?"), code, words);
    }
  }

  private static final SqlOperatorTable STANDARD = SqlStdOperatorTable.instance();
  private static final Set<String> COMMON =
      Set.of("ARRAY_AGG", "CURRVAL", "LASTVAL", "NEXTVAL", "SETVAL");

  private static final Rule NO_FUNCTION =
      new Rule(
          "No match found for function signature (.*)",
          SqlCondition.INVALID_STATEMENT,
          "function $1 does not exist");

  private static final List<Rule> RULES =
      List.of(
          NO_FUNCTION,
          new Rule(
              "Unknown (?:datatype name|identifier) '([^']*)'",
              ErrorCode.NOT_SUPPORTED,
              "type $1 is not supported"),
          new Rule(
              "Unknown field '\\*'",
              ErrorCode.NOT_SUPPORTED,
              "table.* as a value is not supported"),
          new Rule(
              "Unknown field '([^']*)'", SqlCondition.COLUMN_NOT_FOUND, "column $1 does not exist"),
          new Rule(
              "Not a record type. The '\\*' operator requires a record",
              SqlCondition.INVALID_STATEMENT,
              "what is written before .* is no table"),
          new Rule(
              "Cast function cannot convert value of type (.+?)(?: NOT NULL)? to type (.+?)(?: NOT"
                  + " NULL)?",
              SqlCondition.TYPE_MISMATCH,
              "$1 cannot be cast to $2"),
          new Rule(
              "Cannot apply '\\$SCALAR_QUERY' .*",
              SqlCondition.TYPE_MISMATCH,
              "a query used as a value must have one column"),
          new Rule(
              "Cannot apply '([^']*)' to arguments of type '(.*?)'.*",
              SqlCondition.TYPE_MISMATCH,
              "$1 does not take these types: $2"),
          new Rule(
              "Cannot infer return type for (.*); operand types: \\[(.*)\\]",
              SqlCondition.TYPE_MISMATCH,
              "$1 does not take these types: $2"),
          new Rule(
              "Invalid number of arguments to function '(.*)'. Was expecting (.*) arguments",
              SqlCondition.INVALID_STATEMENT,
              "wrong number of arguments for function $1, which takes $2"),
          new Rule(
              "Expression '(?:[^']*\\.)?_ROWID' is not being grouped",
              SqlCondition.INVALID_STATEMENT,
              "an aggregate is not allowed in UPDATE or DELETE"),
          new Rule(
              "Expression '(?:[^']*\\.)?([^'.]*)' is not being grouped",
              SqlCondition.INVALID_STATEMENT,
              "$1 is neither in GROUP BY nor in an aggregate"),
          new Rule(
              "Aggregate expression is illegal in (.*) clause",
              SqlCondition.INVALID_STATEMENT,
              "an aggregate is not allowed in $1"),
          new Rule(
              "Windowed aggregate expression is illegal in (.*) clause",
              SqlCondition.INVALID_STATEMENT,
              "a window function is not allowed in $1"),
          new Rule(
              "Aggregate expressions cannot be nested",
              SqlCondition.INVALID_STATEMENT,
              "an aggregate is not allowed in an aggregate"),
          new Rule(
              "Column '([^']*)' is ambiguous",
              SqlCondition.INVALID_STATEMENT,
              "column $1 is in several of the tables: write table.column"),
          new Rule(
              "Duplicate relation name '([^']*)' in FROM clause",
              SqlCondition.INVALID_STATEMENT,
              "table $1 is in FROM twice: name one of them anew with AS"),
          new Rule(
              "Ordinal out of range",
              SqlCondition.INVALID_STATEMENT,
              "there is no column of that number in the select list"),
          new Rule(
              "Column count mismatch in (.*)",
              SqlCondition.INVALID_STATEMENT,
              "the queries of $1 have different numbers of columns"),
          new Rule(
              "Type mismatch in column (\\d+) of (.*)",
              SqlCondition.TYPE_MISMATCH,
              "column $1 has types in the queries of $2 that do not go together"),
          new Rule(
              "Values passed to (.*) operator must have compatible types",
              SqlCondition.TYPE_MISMATCH,
              "the rows or values of $1 differ in number or in types that do not go together"),
          new Rule(
              "Illegal (DATE|TIME|TIMESTAMP) literal '(.*?)'.*",
              SqlCondition.INVALID_DATETIME,
              "invalid $1 value '$2'"),
          new Rule(
              "Illegal interval literal format '(.*)' for (.*)",
              SqlCondition.INVALID_INTERVAL,
              "'$1' is not a value of type $2"),
          new Rule(
              "Interval field value (.*) exceeds precision of (.*) field",
              SqlCondition.INTERVAL_OVERFLOW,
              "$1 has more digits than $2"),
          new Rule(
              "Numeric literal '(.*)' out of range",
              ErrorCode.NUMERIC_OUT_OF_RANGE,
              "number $1 is out of range"),
          new Rule(
              "'(TIMEZONE_HOUR|TIMEZONE_MINUTE)' is not a valid time frame",
              ErrorCode.NOT_SUPPORTED,
              "EXTRACT of $1 is not supported, as an instant does not keep the offset of its text"),
          new Rule(
              "Expected a boolean type",
              SqlCondition.TYPE_MISMATCH,
              "a condition is neither true nor false"),
          new Rule(
              "(.*) clause must be a condition",
              SqlCondition.TYPE_MISMATCH,
              "what follows $1 is no condition"),
          new Rule(
              "OVER clause is necessary for window functions",
              SqlCondition.INVALID_STATEMENT,
              "a window function needs OVER (…)"),
          new Rule(
              "RANK or DENSE_RANK functions require ORDER BY clause in window specification",
              SqlCondition.INVALID_STATEMENT,
              "RANK and DENSE_RANK need OVER (… ORDER BY …)"));

  private static final Pattern RECORD =
      Pattern.compile("(?i)RecordType(?::\\w+)?\\((?:[^()]|\\([^()]*\\))*\\)");
  private static final Pattern MADE_UP = Pattern.compile("'?(?:EXPR\\$\\d+|\\$f\\d+)'?");

  private final ErrorCondition code;
  private final String words;

  private ValidationMessages(ErrorCondition code, String words) {
    this.code = code;
    this.words = words;
  }

  /** What to say instead of the message. */
  static ValidationMessages of(String message) {
    for (Rule rule : RULES) {
      Matcher matcher = rule.message.matcher(message);
      if (matcher.matches()) {
        if (rule.equals(NO_FUNCTION) && isStandard(matcher.group(1))) {
          return new ValidationMessages(
              ErrorCode.NOT_SUPPORTED, "function " + name(matcher.group(1)) + " is not supported");
        }
        return new ValidationMessages(rule.code, shown(plain(matcher.replaceFirst(rule.words))));
      }
    }
    return new ValidationMessages(guessed(message), shown(plain(message)));
  }

  /** Whether a function that gpDB lacks is one of the SQL standard, or about as common. */
  private static boolean isStandard(String signature) {
    String name = name(signature);
    return COMMON.contains(name)
        || STANDARD.getOperatorList().stream()
            .anyMatch(o -> o instanceof SqlFunction && o.getName().equals(name));
  }

  private static String name(String signature) {
    return signature.split("\\(", 2)[0];
  }

  ErrorCondition code() {
    return code;
  }

  String words() {
    return words;
  }

  private static ErrorCondition guessed(String message) {
    String lower = message.toLowerCase(Locale.ROOT);
    if (lower.contains("cannot apply")
        || lower.contains("type mismatch")
        || lower.contains("illegal mixing of types")
        || lower.contains("not comparable")) {
      return SqlCondition.TYPE_MISMATCH;
    }
    if (lower.contains("out of range")) {
      return ErrorCode.NUMERIC_OUT_OF_RANGE;
    }
    return lower.contains("not supported") || lower.contains("unsupported")
        ? ErrorCode.NOT_SUPPORTED
        : SqlCondition.INVALID_STATEMENT;
  }

  /** In words of SQL what names Calcite's types and columns; nothing of what else it names. */
  private static String shown(String words) {
    String named = RECORD.matcher(words).replaceAll("ROW");
    named = MADE_UP.matcher(named).replaceAll("an expression");
    return CalciteFaults.isReadable(named) ? named : "the statement is not valid";
  }

  /** Drops what only Calcite's developers can use. */
  private static String plain(String message) {
    String text = message.replaceFirst("(?s) Supported form\\(s\\).*", "");
    text = text.replaceAll("(?<=\\w)<([A-Z_]+(?:\\([^)]*\\))?(?: NOT NULL)?)>", " $1");
    text = text.replaceAll("<([A-Z_]+(?:\\([^)]*\\))?(?: NOT NULL)?)>", "$1").strip();
    return text.endsWith(".") ? text.substring(0, text.length() - 1) : text;
  }
}
