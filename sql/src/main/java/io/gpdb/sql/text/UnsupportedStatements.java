package io.gpdb.sql.text;

import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Distinguishes statements of SQL that gpDB lacks from mistakes: the former get 0A000. */
final class UnsupportedStatements {
  /** Words before an object's kind: CREATE GLOBAL TEMPORARY TABLE. */
  private static final String KIND_OF =
      "(?:(?:LOCAL|GLOBAL|TEMP|TEMPORARY|UNLOGGED|EXTERNAL|FOREIGN|UNIQUE|MATERIALIZED|RECURSIVE"
          + "|FULLTEXT|SPATIAL|CLUSTERED|NONCLUSTERED|VIRTUAL|PUBLIC|CONSTRAINT|EVENT)\\s+)";

  private static final String OBJECT =
      "(?:INDEX|DATABASE|TRIGGER|TYPE|USER"
          + "|EXTENSION|AGGREGATE|POLICY|RULE|ASSERTION|COLLATION|SYNONYM|STATISTICS|TABLESPACE"
          + "|CAST|OPERATOR|LANGUAGE|SERVER|PACKAGE|TRANSLATION|CHARACTER\\s+SET|ALIAS)";

  /** What only ALTER and COMMENT ON lack. */
  private static final String ROUTINE = "FUNCTION|PROCEDURE|ROUTINE|SPECIFIC\\s+\\w+|";

  private static final Pattern STATEMENT =
      pattern(
          "CREATE\\s+(?:OR\\s+REPLACE\\s+)?"
              + KIND_OF
              + "*"
              + OBJECT
              + "|CREATE\\s+OR\\s+REPLACE\\s+"
              + KIND_OF
              + "*(?:TABLE|FUNCTION|PROCEDURE)|(?:CREATE|DROP)\\s+(?:OR\\s+REPLACE\\s+)?"
              + KIND_OF
              + "+VIEW|(?:CREATE|DROP)\\s+(?:UNLOGGED|EXTERNAL|FOREIGN|VIRTUAL)\\s+TABLE"
              + "|DROP\\s+(?:TEMP|TEMPORARY)\\s+TABLE|DROP\\s+"
              + KIND_OF
              + "*"
              + OBJECT
              + "|ALTER\\s+"
              + KIND_OF
              + "*(?:TABLE|VIEW|SCHEMA|SYSTEM|SESSION|ROLE|"
              + ROUTINE
              + OBJECT
              + ")|COMMENT\\s+ON\\s+(?:CONSTRAINT|"
              + ROUTINE
              + OBJECT
              + ")|VACUUM\\s+(?:FULL|FREEZE|ANALYZE|VERBOSE|\\()"
              + "|REINDEX|CALL|DESC|DESCRIBE|PREPARE|EXECUTE|DEALLOCATE|MOVE"
              + "|LISTEN|UNLISTEN|NOTIFY|PRAGMA|USE|ANALYZE\\s+(?:VERBOSE|\\()"
              + "|UPSERT|REFRESH\\s+MATERIALIZED\\s+VIEW|RENAME\\s+(?:TABLE|COLUMN)|LOAD\\s+DATA"
              + "|ATTACH|DETACH|KILL|OPTIMIZE\\s+TABLE|CLUSTER|DISCARD|DO|RESET|SIGNAL|SHUTDOWN"
              + "|GET\\s+(?:DIAGNOSTICS|DESCRIPTOR)|WHENEVER|ALLOCATE|CONNECT|DISCONNECT|FREE\\s+LOCATOR"
              + "|HOLD\\s+LOCATOR|SET\\s+(?:CONNECTION|COLLATION|NO\\s+COLLATION|TRANSFORM|DESCRIPTOR)"
              + "|ABORT|END|IMPORT|EXPORT|UNLOAD|SHOW\\s+(?:CREATE|COLUMNS|INDEX|TABLES)"
              + "|SET\\s+(?:SCHEMA|CATALOG|ROLE|PATH|NAMES|TIME\\s+ZONE|LOCAL|SESSION|GLOBAL)");

  /** What follows a complete expression, name or clause. */
  private static final List<Clause> TRAILING =
      List.of(
          new Clause("ON\\s+DUPLICATE\\s+KEY"),
          new Clause("LOCK\\s+IN\\s+SHARE"),
          new Clause("FOR\\s+(?:READ|FETCH)\\s+ONLY|FOR\\s+(?:XML|JSON|BROWSE)"),
          new Clause("CONNECT\\s+BY|START\\s+WITH"),
          new Clause("WITH\\s*\\(|(?:USE|FORCE|IGNORE)\\s+INDEX|PARTITION\\s*\\("),
          new Clause("SEARCH\\s+(?:DEPTH|BREADTH)\\s+FIRST|CYCLE"),
          new Clause("ON\\s+OVERFLOW|NOT\\s+(?:MEMBER|SUBMULTISET)"),
          new Clause("COLLATE|AT\\s+(?:TIME\\s+ZONE|LOCAL)|->>?"),
          new Clause("SELECT|WITH|TABLE", "INTO"),
          new Clause("CREATE\\s+SCHEMA", "PATH|CREATE\\s+" + OBJECT),
          new Clause("CREATE", "WITH\\s+(?:(?:CASCADED|LOCAL)\\s+)?CHECK\\s+OPTION"),
          new Clause("DROP|TRUNCATE", "CASCADE|RESTRICT"),
          new Clause(
              "UPDATE|DELETE",
              "(?:(?:INNER|CROSS|NATURAL|(?:LEFT|RIGHT|FULL)(?:\\s+OUTER)?)\\s+)?JOIN"),
          new Clause("UPDATE\\s+\\S+\\s*,|DELETE\\s+FROM\\s+\\S+\\s*,", ",", "several tables"),
          new Clause("INSERT", "SET|AS"),
          new Clause("CREATE\\s+(?:FUNCTION|PROCEDURE)", "AS|USING|IMMUTABLE|STABLE|VOLATILE"),
          new Clause("CREATE", "REFERENCES|COMMENT|PARTITION\\s+BY|INHERITS|TABLESPACE|ENGINE"),
          new Clause("CREATE", "WITHOUT\\s+ROWID|STRICT|ON\\s+(?:COMMIT|UPDATE|DELETE)"),
          new Clause("CREATE", "WITH\\s+(?:NO\\s+)?DATA|OF|LIKE|UNSIGNED"),
          new Clause("CREATE", "(?:NOT\\s+)?DEFERRABLE|INITIALLY|NULLS\\s+(?:NOT\\s+)?DISTINCT"),
          new Clause("CREATE", "AS\\s*\\(", "a computed column"),
          new Clause("CREATE", "\\[|ARRAY\\s*\\[", "type ARRAY"),
          new Clause("COPY", "WHERE|DELIMITERS?|CSV|HEADER|BINARY|QUOTE|ESCAPE|ENCODING"),
          new Clause("COMMIT|ROLLBACK", "AND\\s+(?:NO\\s+)?RELEASE|PREPARED"),
          new Clause("BEGIN", "IMMEDIATE|DEFERRED|EXCLUSIVE"),
          new Clause("BEGIN|START|SET", "(?:NOT\\s+)?DEFERRABLE"));

  private static final Pattern BITS = Pattern.compile("(?s)(?<=(?<!\\w)[bB])'[01\\s]*'");

  /** What a comparison has behind its first operand, where WHEN has none. */
  private static final Pattern WHEN =
      Pattern.compile(
          "(?is)(?<=WHEN\\s{1,9})(?<!CASE\\s{1,9}WHEN\\s{1,9})(?:[<>=]|IS\\b|(?:NOT\\s+)?(?:BETWEEN|IN|LIKE|SIMILAR)\\b)");

  /** What follows a keyword, a comma or a parenthesis. */
  private static final List<Clause> INNER =
      List.of(
          new Clause("TOP\\s+\\d"),
          new Clause(null, BITS, "a bit string"),
          new Clause(null, WHEN, "CASE … WHEN with a part of a comparison"),
          new Clause("(?:NOT\\s+)?MATERIALIZED\\s*\\("),
          new Clause("WITH", "DELETE|UPDATE|INSERT|MERGE"),
          new Clause("DELETE\\s+(?!FROM\\b)\\w+\\s+FROM", "\\w+\\s+FROM", "DELETE t FROM"),
          new Clause("INSERT", "OR\\s+(?:ABORT|FAIL|ROLLBACK)|IGNORE|OVERWRITE"),
          new Clause("CREATE", "LIKE|EXCLUDE\\s+USING|ENUM\\s*\\(|BIT\\s*\\("),
          new Clause("CREATE", "BIT\\s+VARYING"),
          new Clause("CREATE", "KEY\\s+\\w+\\s*\\(", "KEY"),
          new Clause(
              "EXPLAIN",
              "CREATE|DROP|ALTER|TRUNCATE|VACUUM|COPY|BACKUP|CHECKPOINT|COMMIT|ROLLBACK|BEGIN"
                  + "|START|SET|SHOW|CALL|GRANT|REVOKE|QUERY\\s+PLAN|VERBOSE"
                  + "|FORMAT\\s*="),
          new Clause("EXPLAIN\\s*\\(", "\\w+\\b[^;)]*[,)]", "EXPLAIN (options)"),
          new Clause("COPY", "STDIN|STDOUT|PROGRAM"));

  private static final Pattern TABLE = pattern("CREATE\\s+TABLE");

  /** One among the columns of a table; the parser takes its first word for a column. */
  private static final Pattern INDEX =
      Pattern.compile(
          "(?is)[(,]\\s*(?:(?:UNIQUE|FULLTEXT|SPATIAL)\\s+)?(?:INDEX|KEY)(?:\\s+[\"\\w]+)?\\s*\\(");

  /** Whether the text before a place ends with something complete. */
  private static final Pattern COMPLETE = Pattern.compile("(?s).*[\\w\"'`)\\]*]\\s*");

  private static final Pattern INCOMPLETE =
      Pattern.compile(
          "(?is).*\\b(?:SELECT|DISTINCT|ALL|FROM|WHERE|AND|OR|NOT|IN|LIKE|BETWEEN|IS|BY|HAVING|SET"
              + "|INTO|TABLE|TRUNCATE|DROP|EXISTS|UPDATE|DELETE|INSERT|(?<!DEFAULT\\s)VALUES|ON|JOIN|AS|CASE"
              + "|WHEN|THEN|ELSE|UNION|EXCEPT|INTERSECT|LIMIT|OFFSET|CREATE|WITH|EXPLAIN)\\s*");

  /** How far back the text before a place is looked at. */
  private static final int BEFORE_MAX = 64;

  /** A clause that gpDB lacks, in statements that begin so. */
  private record Clause(@Nullable Pattern statement, Pattern words, @Nullable String name) {
    Clause(String words) {
      this(null, pattern(words), null);
    }

    Clause(String statement, String words) {
      this(pattern(statement), pattern(words), null);
    }

    Clause(String statement, String words, String name) {
      this(pattern(statement), pattern(words), name);
    }
  }

  private UnsupportedStatements() {}

  private static Pattern pattern(String alternatives) {
    return Pattern.compile("(?is)(?:" + alternatives + ")(?:(?<=\\W)|\\b)");
  }

  /**
   * The error to raise for a syntax error at one of those places of the statement: that of the
   * unexpected token and that of the token before.
   */
  static GpdbException explain(String sql, GpdbException syntax, int... places) {
    int start = start(sql);
    Matcher statement = STATEMENT.matcher(sql).region(start, sql.length());
    if (statement.lookingAt()) {
      return unsupported(keywords(statement.group()), syntax);
    }
    if (isIndexInTable(sql, start, places)) {
      return unsupported("CREATE TABLE … INDEX", syntax);
    }
    for (int place : places) {
      if (place <= start) {
        continue;
      }
      String name = isComplete(sql, place) ? named(TRAILING, sql, start, place) : null;
      name = name == null ? named(INNER, sql, start, place) : name;
      if (name != null) {
        return unsupported(name, syntax);
      }
    }
    return syntax;
  }

  private static boolean isIndexInTable(String sql, int start, int... places) {
    Matcher index = INDEX.matcher(sql).region(start, sql.length());
    boolean found = false;
    if (TABLE.matcher(sql).region(start, sql.length()).lookingAt()) {
      while (!found && index.find()) {
        for (int place : places) {
          found |= index.start() < place && place < index.end();
        }
      }
    }
    return found;
  }

  /** The place of the statement's first word. */
  private static int start(String sql) {
    int at = 0;
    int next = 0;
    do {
      at = next;
      while (at < sql.length() && Character.isWhitespace(sql.charAt(at))) {
        at++;
      }
      next = SkippedText.afterComment(sql, at);
    } while (next > at);
    return at;
  }

  private static boolean isComplete(String sql, int place) {
    String before = sql.substring(Math.max(0, place - BEFORE_MAX), place);
    return COMPLETE.matcher(before).matches() && !INCOMPLETE.matcher(before).matches();
  }

  /** What the clause is called that begins there; null where none of them does. */
  private static @Nullable String named(List<Clause> clauses, String sql, int start, int place) {
    for (Clause clause : clauses) {
      Matcher words =
          clause.words.matcher(sql).region(place, sql.length()).useTransparentBounds(true);
      Pattern statement = clause.statement;
      Matcher begin = statement == null ? null : statement.matcher(sql).region(start, sql.length());
      if (words.lookingAt() && (begin == null || begin.lookingAt())) {
        String verb = begin == null ? "" : keywords(begin.group()) + " … ";
        return clause.name == null ? verb + keywords(words.group()) : clause.name;
      }
    }
    return null;
  }

  private static String keywords(String matched) {
    String words = matched.strip().replaceAll("\\s+", " ").toUpperCase(Locale.ROOT);
    return words.replaceAll(" ?[,=\\d]$", "").replaceAll(" ?\\($", " (…)");
  }

  private static GpdbException unsupported(String name, GpdbException syntax) {
    return new GpdbException(ErrorCode.NOT_SUPPORTED, name + " is not supported", syntax);
  }
}
