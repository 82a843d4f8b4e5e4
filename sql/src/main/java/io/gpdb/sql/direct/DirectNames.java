package io.gpdb.sql.direct;

import io.gpdb.sql.type.SqlLimits;
import java.util.Set;

/** Which words may be names of tables and columns without quotes. */
final class DirectNames {
  /** What the grammar reads otherwise, and functions that are called without parentheses. */
  private static final String RESERVED =
      """
      ALL AND ANY AS ASOF BETWEEN BY CALL CASE CAST CHECK CONSTRAINT CREATE CROSS CURRENT \
      CURRENT_CATALOG CURRENT_DATE CURRENT_PATH CURRENT_ROLE CURRENT_SCHEMA CURRENT_TIME \
      CURRENT_TIMESTAMP CURRENT_USER CURSOR DEFAULT DEFINE DELETE DESCRIBE DISTINCT DROP ELSE \
      EXCEPT EXISTS EXPLAIN FALSE FETCH FINAL FOR FOREIGN FRIDAY FROM FULL GRANT GROUP GROUPING \
      HAVING IN INNER INSERT INTERSECT INTERVAL INTO IS JOIN LATERAL LEFT LIKE LIMIT LOCALTIME \
      LOCALTIMESTAMP MATCH_CONDITION MATCH_RECOGNIZE MEASURE MERGE MINUS MONDAY NATURAL NEW NEXT \
      NOT NULL OFFSET ON OR ORDER OUTER OVER PARTITION PATTERN PI PRIMARY QUALIFY REFERENCES \
      RETURNING RIGHT ROLLUP ROW RUNNING SATURDAY SELECT SESSION_USER SET SKIP SOME STREAM SUNDAY \
      SYSTEM_USER TABLE TABLESAMPLE THEN THURSDAY TRUE TUESDAY UNION UNIQUE UNKNOWN UNNEST \
      UNSIGNED UPDATE USER USING VALUES WEDNESDAY WHEN WHERE WINDOW WITH\
      """;

  private static final Set<String> WORDS = Set.of(RESERVED.split(" "));

  /** What makes an interval of an expression in parentheses before it. */
  private static final Set<String> UNITS =
      Set.of(
          "DAY",
          "DAYS",
          "HOUR",
          "HOURS",
          "MINUTE",
          "MINUTES",
          "MONTH",
          "MONTHS",
          "QUARTER",
          "QUARTERS",
          "SECOND",
          "SECONDS",
          "WEEK",
          "WEEKS",
          "YEAR",
          "YEARS");

  private DirectNames() {}

  /** Whether the word, in upper case, means something behind an expression in parentheses. */
  static boolean isUnit(String word) {
    return UNITS.contains(word);
  }

  /** Whether the word, in upper case, is a name wherever a name may be. */
  static boolean isName(String word) {
    return !word.isEmpty() && word.length() <= SqlLimits.NAME_LENGTH_MAX && !WORDS.contains(word);
  }
}
