package io.gpdb.sql.conversion;

import java.util.List;
import java.util.Random;
import java.util.regex.Pattern;

/**
 * A query or a change of what plain queries have and of a little that they lack, from random
 * numbers.
 */
final class RandomPlainQuery {
  private static final Pattern AGGREGATE_OVER =
      Pattern.compile("(SUM|COUNT|MIN|MAX|AVG)\\([^()]*\\) OVER");

  static final List<String> TABLES =
      List.of(
          "CREATE TABLE T (A INTEGER, B INTEGER NOT NULL, C BIGINT, D BIGINT NOT NULL, R REAL,"
              + " F DOUBLE NOT NULL, N DECIMAL(8, 2), S VARCHAR(9), O BOOLEAN, I SMALLINT,"
              + " P CHAR(4), Q VARCHAR NOT NULL, L CLOB)",
          "CREATE TABLE U (A INTEGER, X INTEGER, Y BIGINT PRIMARY KEY, M VARCHAR(9))");

  private static final String[] COMPARISONS = {"=", "<>", "<", "<=", ">", ">="};

  private final Random random;

  RandomPlainQuery(Random random) {
    this.random = random;
  }

  private boolean oneOf(int n) {
    return random.nextInt(n) == 0;
  }

  private String any(String... texts) {
    return texts[random.nextInt(texts.length)];
  }

  String query() {
    if (oneOf(10)) {
      return ranked() + order() + limit();
    }
    if (!oneOf(6)) {
      String select = select(0);
      return select + order() + limit();
    }
    int width = 1 + random.nextInt(2);
    StringBuilder sql = new StringBuilder(select(width));
    for (int i = random.nextInt(2); i >= 0; i--) {
      sql.append(any(" UNION ", " UNION ALL ", " EXCEPT ", " INTERSECT ", " EXCEPT ALL "))
          .append(oneOf(12) ? any("CORRESPONDING ", "CORRESPONDING BY (A) ") : "")
          .append(select(oneOf(30) ? 3 : width));
    }
    return sql + order() + limit();
  }

  private String limit() {
    return oneOf(4)
        ? any(" LIMIT 3", " LIMIT ?", " OFFSET 2", " OFFSET 0", " LIMIT 5 OFFSET ?", " LIMIT 0")
        : "";
  }

  private String order() {
    return oneOf(2)
        ? " ORDER BY " + any("1", "1 DESC", "A", "B DESC, 1", "Z", "D", "2, 1", "A + 1", "A, B, D")
        : "";
  }

  /** A SELECT with that many columns, or any number of them for 0. */
  private String select(int width) {
    boolean two = oneOf(4);
    String from =
        two
            ? oneOf(2) ? any("T, U", "T AS V CROSS JOIN U", "U AS V, U") : joined()
            : oneOf(5) ? derived() : any("T", "T AS V", "U AS V");
    boolean grouped = oneOf(3);
    StringBuilder sql = new StringBuilder("SELECT ").append(any("", "", "DISTINCT ", "ALL "));
    int items = width > 0 ? width : 1 + random.nextInt(3);
    String key = any("B", "A", "V.A", "C", "S", "P");
    if (oneOf(12)) {
      sql.append('*');
      grouped = false;
    } else {
      for (int i = 0; i < items; i++) {
        sql.append(i == 0 ? "" : ", ");
        sql.append(
            grouped
                ? ofGroups(key, 2)
                : oneOf(8) ? window() : any(number(2), number(2), condition(1), text(), column()));
        sql.append(any("", "", " AS " + any("A", "Z", "B", "D")));
      }
    }
    sql.append(" FROM ").append(from);
    if (!oneOf(3)) {
      sql.append(" WHERE ").append(condition(3));
    }
    if (grouped && !oneOf(3)) {
      sql.append(" GROUP BY ").append(key).append(any("", "", ", D", ", B, Z", ", " + key));
      if (oneOf(2)) {
        sql.append(" HAVING ")
            .append(oneOf(6) ? ofTexts() + " AND " : "")
            .append(ofGroups(key, 1))
            .append(any(" > ", " <> "))
            .append(ofGroups(key, 1))
            .append(
                oneOf(3)
                    ? " OR NOT (MIN(D) = 3 OR NOT (COUNT(*) IN (1, 2, MAX(D)) AND MIN(D) > 3))"
                    : "");
      }
    }
    return sql.toString();
  }

  /** An UPDATE or DELETE. */
  String change() {
    String where = oneOf(4) ? "" : " WHERE " + condition(2);
    if (oneOf(3)) {
      return "DELETE FROM " + any("T", "T AS V", "U AS V") + where;
    }
    StringBuilder sql =
        new StringBuilder("UPDATE ").append(any("T", "T AS V", "T")).append(" SET ");
    int columns = 1 + random.nextInt(2);
    for (int i = 0; i < columns; i++) {
      sql.append(i == 0 ? "" : ", ")
          .append(i == 0 ? any("A", "B", "R", "N", "S") : any("C", "F", "O", "I"))
          .append(" = ")
          .append(any("?", number(2), number(1) + " + ?", "? - " + column(), column() + " * ?"))
          .append(any("", "", "", " + ?", "+ CAST(? AS " + any("BIGINT", "REAL", "CHAR(3)") + ")"));
    }
    return sql.append(where).toString();
  }

  private String derived() {
    String select = oneOf(3) ? select(0) : ofNamed();
    return "("
        + select
        + (oneOf(12) ? any(" ORDER BY 1", " LIMIT 2") : "")
        + ")"
        + any(" AS ", " ")
        + any("V", "T", "V(A, B)")
        + (oneOf(6)
            ? any(", U", " JOIN U ON U.X = V.A", " CROSS JOIN (SELECT A FROM U) AS W")
            : "");
  }

  /** A SELECT whose columns have the names of others. */
  private String ofNamed() {
    StringBuilder sql = new StringBuilder("SELECT ").append(any("", "", "", "DISTINCT "));
    String[] names = {"A", "B", "D", "S"};
    for (int i = 0; i < names.length; i++) {
      String item = oneOf(4) ? window() : oneOf(3) ? number(1) : names[i];
      sql.append(i == 0 ? "" : ", ")
          .append(item)
          .append(item.equals(names[i]) && oneOf(2) ? "" : " AS " + names[i]);
    }
    return sql
        + " FROM "
        + any("T", "T", "T AS V", derived())
        + (oneOf(2) ? " WHERE " + condition(2) : "");
  }

  /** Rows with their ranks, or the sum of some of them. */
  private String ranked() {
    String rows =
        "SELECT A, B AS D, "
            + window()
            + " AS Z FROM "
            + any("T", "T", "T AS V", "U AS V, T", derived())
            + (oneOf(2) ? " WHERE " + condition(1) : "");
    return oneOf(2)
        ? rows
        : "SELECT "
            + any("SUM(Z)", "A, COUNT(*), MAX(Z) AS B", "*", "V.Z AS A, D", "Z, " + window())
            + " FROM ("
            + rows
            + ") AS V"
            + any("", "", " WHERE Z < 3", " GROUP BY A");
  }

  private String window() {
    String function =
        oneOf(2)
            ? any("ROW_NUMBER()", "ROW_NUMBER()", "RANK()", "DENSE_RANK()", "SUM(A)", "NTILE(2)")
            : any("SUM(", "COUNT(", "MIN(", "MAX(", "AVG(")
                + any("A", "B", "S", "V.A", "D", number(1), oneOf(4) ? "*" : "A")
                + ")";
    String partition =
        oneOf(2)
            ? "PARTITION BY " + any("A", "B, S", "V.A", "S, A", oneOf(4) ? "A + 1" : "O", "B")
            : "";
    String order =
        oneOf(4)
            ? ""
            : " ORDER BY "
                + any(
                    "A",
                    "B DESC",
                    "V.A, B",
                    "S DESC, A",
                    "B",
                    oneOf(2) ? any("1", "A + 1", "R", "A NULLS FIRST", "L") : "B");
    String frame =
        oneOf(12)
            ? any(" ROWS UNBOUNDED PRECEDING", " ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING")
            : "";
    String over = function + " OVER (" + partition + order + frame + ")";
    return oneOf(4) ? any("1 + " + over, over + " * A", over + " - " + over, "- " + over) : over;
  }

  static boolean hasAggregateOver(String sql) {
    return AGGREGATE_OVER.matcher(sql).find();
  }

  private String joined() {
    String on =
        any("V.A = U.A", "U.Y = V.C", "X = B", "V.A = U.X AND C = Y", "V.S = U.M", "V.A = U.Y");
    String more = any(" AND U.A = V.A", " AND X > 3", " AND V.A = V.B", " OR X = B");
    String join =
        "T AS V"
            + any(" JOIN ", " LEFT JOIN ", " RIGHT JOIN ")
            + "U ON "
            + on
            + (oneOf(4) ? more : "");
    return switch (random.nextInt(6)) {
      case 0 -> join + any(" JOIN ", " LEFT JOIN ") + "U AS W ON W.X = " + any("V.A", "U.A", "B");
      case 1 -> join + any(", U AS W", " CROSS JOIN U AS W");
      case 2 -> "U AS W, " + join;
      default -> join;
    };
  }

  private String column() {
    return any("A", "B", "C", "D", "R", "F", "N", "I", "X", "V.A", "V.B", "T.B", "U.A");
  }

  private String number(int depth) {
    if (depth == 0 || oneOf(4)) {
      return oneOf(3)
          ? any(
              "0",
              "7",
              "- 3",
              "+ 5",
              "3000000000",
              "1.5",
              "NULL",
              "NULL",
              "? + 1",
              "A - ?",
              "? * ?")
          : any("A", "B", "C", "D", "V.A", column());
    }
    return switch (random.nextInt(11)) {
      case 0, 1, 2 -> number(depth - 1) + any(" + ", " - ", " * ", " / ") + number(depth - 1);
      case 3 -> any("- ", "+ ", "+ + ") + number(depth - 1);
      case 4 -> "(" + number(depth - 1) + ")";
      case 5 -> "ABS(" + number(depth - 1) + ")";
      case 6 -> "COALESCE(" + number(depth - 1) + ", " + number(depth - 1) + ")";
      case 7 -> "NULLIF(" + number(depth - 1) + ", " + number(depth - 1) + ")";
      case 8 ->
          "CAST("
              + number(depth - 1)
              + " AS "
              + any("INTEGER", "BIGINT", "REAL", "DOUBLE", "SMALLINT")
              + ")";
      case 9 ->
          "CASE WHEN "
              + condition(depth - 1)
              + " THEN "
              + number(depth - 1)
              + any("", " ELSE " + number(depth - 1))
              + " END";
      default ->
          any(
              "(SELECT COUNT(*) FROM U AS W WHERE "
                  + any("W.A < V.A", "W.X = 3", condition(0))
                  + ")",
              "(SELECT "
                  + any("MAX", "AVG", "SUM", "MIN")
                  + any("(Y)", "(X)", "(V.A)")
                  + " FROM U AS W)",
              "CASE " + number(depth - 1) + " WHEN " + number(depth - 1) + " THEN 1 ELSE A END");
    };
  }

  private String condition(int depth) {
    if (depth == 0) {
      return any("A", "B", "C", "V.A") + " " + any(COMPARISONS) + " " + any("B", "4", "?", "D");
    }
    return switch (random.nextInt(12)) {
      case 0, 1 -> condition(depth - 1) + any(" AND ", " OR ") + condition(depth - 1);
      case 2 -> any("NOT ", "NOT ", "") + "(" + condition(depth - 1) + ")";
      case 3 -> number(1) + any(" IS NULL", " IS NOT NULL");
      case 4 ->
          any("A", "C", "NULL", number(1))
              + any(" BETWEEN ", " NOT BETWEEN ")
              + any("1", "?", "B", "NULL")
              + " AND "
              + any("9", "?", "D", "NULL");
      case 5 ->
          any("A", "B", "C", "NULL", "- A")
              + any(" IN ", " NOT IN ")
              + any("(1, 2, 3)", "(?, 1)", "(B, 4)", "(7)", "(1, 1)", "(NULL, 5, A)", "(NULL)");
      case 6 ->
          any("", "NOT ")
              + "EXISTS (SELECT 1 FROM U AS W WHERE "
              + any("W.A < V.A", "W.Y > D", "W.X = 1")
              + ")";
      case 7 -> ofTexts();
      case 8 -> "NOT (" + condition(0) + any(" AND ", " OR ") + negated() + ")";
      default -> number(1) + " " + any(COMPARISONS) + " " + number(1);
    };
  }

  private String negated() {
    String list = "A" + any(" IN ", " NOT IN ") + "(1, 2, B)";
    return any(
        list, "NOT " + list, "NOT (" + list + " AND " + condition(0) + ")", list + " IS TRUE");
  }

  private String text() {
    return any(
        "S", "P", "Q", "L", "V.S", "MIN(S)", "'été'", "'abc'", "''", "'it''s long enough'", "'x '");
  }

  private String ofTexts() {
    return switch (random.nextInt(6)) {
      case 0 -> any("S", "P", "Q") + " " + any(COMPARISONS) + " " + any("?", "NULL", "S");
      case 1 ->
          text() + any(" LIKE ", " NOT LIKE ") + any("'a%'", "'_'", "''", "Q", "'%' ESCAPE '!'");
      case 2 ->
          text()
              + any(" IN ", " NOT IN ")
              + any("('a', 'bcd')", "('a', 'a long one')", "(?, 'x')", "(P, Q)", "(NULL, 'y')");
      case 3 ->
          text()
              + any(" BETWEEN ", " NOT BETWEEN ")
              + any("'a'", "?", "S")
              + " AND "
              + any("'xyz'", "'a long one'", "P");
      default -> text() + " " + any(COMPARISONS) + " " + text();
    };
  }

  private String ofGroups(String key, int depth) {
    if (depth == 0 || oneOf(3)) {
      return any(
          key,
          "COUNT(*)",
          any("COUNT", "SUM", "MIN", "MAX", "AVG")
              + "("
              + any("", "DISTINCT ", "ALL ")
              + any(number(1), number(1), number(1), text())
              + ")",
          "5");
    }
    return any("- ", "+ ", ofGroups(key, depth - 1) + any(" + ", " * ", " / ", " - "))
        + ofGroups(key, depth - 1);
  }
}
