package io.gpdb.session.database;

import java.util.List;

/**
 * Statements of the shapes that scans, sums, groups, joins, sorts, windows and changes have, over
 * tables with columns of the usual types; none raises an error.
 */
final class RehearsedStatements {
  private RehearsedStatements() {}

  /** Statements that make the tables: one of {@code rows} rows, two that are joined with it. */
  static List<String> tables(int rows) {
    return List.of(
        "CREATE TABLE sale (id INTEGER, item INTEGER, shop INTEGER, amount INTEGER,"
            + " price DECIMAL(12, 2), discount DECIMAL(12, 2), weight REAL,"
            + " size DOUBLE PRECISION, day DATE, name VARCHAR(20), kind CHAR(1), code BIGINT)",
        "CREATE TABLE visit (id INTEGER, shop INTEGER)",
        "CREATE TABLE item (id INTEGER PRIMARY KEY, cost INTEGER, kind VARCHAR(10))",
        "INSERT INTO sale SELECT n, MOD(CAST(n AS BIGINT) * 7919, %d), MOD(n * 7, 16),"
                .formatted(rows / 8)
            + " MOD(CAST(n AS BIGINT) * 613, 10007), MOD(n, 1000) * 0.25,"
            + " MOD(n, 9) * 0.01, MOD(n, 1000) / 8.0E0, MOD(n, 997) / 7.0E0,"
            + " DATE '2001-01-01' + MOD(n, 2000) * INTERVAL '1' DAY,"
            + " 'name' || MOD(n, 499), SUBSTRING('abc' FROM 1 + MOD(n, 3) FOR 1),"
            + " MOD(CAST(n AS BIGINT) * 40503, 49999) * 2654435761"
            + " FROM GENERATE_SERIES(0, %d) AS s (n)".formatted(rows - 1),
        "INSERT INTO visit SELECT n, MOD(n * 11, 16) FROM GENERATE_SERIES(0, %d) AS s (n)"
            .formatted(rows - 1),
        "INSERT INTO item SELECT n, MOD(n, 100), 'kind' || MOD(n, 25)"
            + " FROM GENERATE_SERIES(0, %d) AS s (n)".formatted(rows / 8 - 1));
  }

  static final List<String> ALL =
      List.of(
          "SELECT COUNT(*), SUM(amount) FROM sale WHERE shop < 8",
          "SELECT COUNT(*), SUM(weight), AVG(size) FROM sale WHERE shop < 1",
          "SELECT SUM(amount * 2 + shop), MIN(amount), MAX(size) FROM sale"
              + " WHERE amount > 100 AND shop < 10",
          "SELECT SUM(price * (1 - discount)) FROM sale"
              + " WHERE day BETWEEN DATE '2002-01-01' AND DATE '2002-12-31' AND amount < 5000",
          "SELECT SUM(CASE WHEN kind IN ('a', 'b') THEN price ELSE 0 END) FROM sale"
              + " WHERE day >= DATE '2003-01-01'",
          "SELECT COUNT(*) FROM sale WHERE name LIKE '%7%'",
          "SELECT COUNT(*) FROM sale WHERE amount > (SELECT AVG(amount) FROM sale)",
          "SELECT shop, COUNT(*), SUM(amount), AVG(size) FROM sale GROUP BY shop",
          "SELECT kind, shop, SUM(price), SUM(price * (1 + discount)), AVG(price), COUNT(*)"
              + " FROM sale WHERE day <= DATE '2005-01-01' GROUP BY kind, shop"
              + " ORDER BY kind, shop",
          "SELECT name, COUNT(*), SUM(amount) AS n FROM sale GROUP BY name"
              + " ORDER BY n DESC, name LIMIT 5",
          "SELECT item, COUNT(*), SUM(amount) AS n FROM sale GROUP BY item"
              + " ORDER BY n DESC, item LIMIT 5",
          "SELECT COUNT(*) FROM (SELECT code FROM sale WHERE shop < 4"
              + " GROUP BY code HAVING COUNT(*) > 1) AS often",
          "SELECT COUNT(DISTINCT item) FROM sale",
          "SELECT COUNT(*), SUM(s.amount) FROM sale s JOIN visit v ON s.id = v.id"
              + " WHERE v.shop < 1",
          "SELECT COUNT(*), SUM(i.cost) FROM sale s JOIN item i ON s.item = i.id",
          "SELECT i.kind, SUM(s.price) AS n FROM sale s JOIN item i ON s.item = i.id"
              + " JOIN visit v ON v.id = i.id WHERE v.shop < 8 AND s.day < DATE '2004-01-01'"
              + " GROUP BY i.kind ORDER BY n DESC",
          "SELECT COUNT(s.id) FROM item i LEFT JOIN sale s ON s.item = i.id AND s.shop < 2",
          "SELECT COUNT(*) FROM item i WHERE EXISTS (SELECT 1 FROM sale s"
              + " WHERE s.item = i.id AND s.shop < 2)",
          "SELECT COUNT(*) FROM visit v WHERE v.shop < 4 AND v.id NOT IN"
              + " (SELECT s.code FROM sale s WHERE s.shop < 2)",
          "SELECT id, amount FROM sale ORDER BY amount DESC, id LIMIT 10",
          "SELECT SUM(n) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY shop ORDER BY amount, id)"
              + " AS n FROM sale WHERE shop < 2) AS numbered",
          "UPDATE sale SET amount = amount + 1 WHERE shop < 1",
          "UPDATE sale SET amount = amount - 1 WHERE shop < 8");
}
