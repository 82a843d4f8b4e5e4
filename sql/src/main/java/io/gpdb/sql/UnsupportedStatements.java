package io.gpdb.sql;

import io.gpdb.storage.ErrorCode;
import io.gpdb.storage.GpdbException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Tells statements of SQL that gpDB lacks from mistakes: the former get 0A000. */
final class UnsupportedStatements {
  private static final Pattern STATEMENT =
      Pattern.compile(
          "(?is)\\s*(CREATE\\s+(?:OR\\s+REPLACE\\s+)?(?:(?:LOCAL|GLOBAL)\\s+)?"
              + "(?:TEMP(?:ORARY)?\\s+TABLE|(?:UNIQUE\\s+)?INDEX|(?:MATERIALIZED\\s+)?VIEW|SEQUENCE"
              + "|SCHEMA|DATABASE|FUNCTION|PROCEDURE|TRIGGER|TYPE|DOMAIN|USER|ROLE)"
              + "|DROP\\s+(?:INDEX|VIEW|SEQUENCE|SCHEMA|DATABASE|FUNCTION|TRIGGER|USER|ROLE)"
              + "|ALTER\\s+\\w+|GRANT|REVOKE|COMMENT\\s+ON|VACUUM|REINDEX|LOCK|CALL|DESCRIBE"
              + "|PREPARE|EXECUTE|DEALLOCATE|DECLARE|FETCH|LISTEN|NOTIFY|REPLACE\\s+INTO|PRAGMA"
              + "|USE|ANALYZE|MERGE|UPSERT)\\b");
  private static final Pattern CLAUSE =
      Pattern.compile(
          "(?is)(RETURNING|ON\\s+CONFLICT|ON\\s+DUPLICATE\\s+KEY|FOR\\s+UPDATE"
              + "|GENERATED\\s+(?:BY\\s+DEFAULT|ALWAYS)|AUTO_INCREMENT|REFERENCES)\\b");

  private UnsupportedStatements() {}

  /**
   * The error to raise for a syntax error at one of those places of the statement: that of the
   * unexpected token and that of the token before.
   */
  static GpdbException explain(String sql, GpdbException syntax, int... places) {
    Matcher statement = STATEMENT.matcher(sql);
    if (statement.lookingAt()) {
      return unsupported(statement.group(1), syntax);
    }
    Matcher clause = CLAUSE.matcher(sql);
    for (int place : places) {
      if (clause.region(place, sql.length()).lookingAt()) {
        return unsupported(clause.group(1), syntax);
      }
    }
    return syntax;
  }

  private static GpdbException unsupported(String words, GpdbException syntax) {
    String name = words.strip().replaceAll("\\s+", " ").toUpperCase(Locale.ROOT);
    return new GpdbException(ErrorCode.NOT_SUPPORTED, name + " is not supported", syntax);
  }
}
