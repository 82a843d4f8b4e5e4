package io.gpdb.bench.peers;

import java.util.List;

/** A statement over many rows, and what reports call it. */
record PeerQuery(String name, String sql) {
  static final List<PeerQuery> ALL =
      List.of(
          new PeerQuery("count, sum, one filter", "SELECT COUNT(*), SUM(v) FROM t WHERE g < 75"),
          new PeerQuery(
              "count, sum, avg of REAL, 5% pass",
              "SELECT COUNT(*), SUM(r), AVG(r) FROM t WHERE p < 5"),
          new PeerQuery(
              "count, sum, avg of REAL, 50% pass",
              "SELECT COUNT(*), SUM(r), AVG(r) FROM t WHERE p < 50"),
          new PeerQuery(
              "sum of an expression, min, max, two filters",
              "SELECT SUM(v * 3 + g), MIN(v), MAX(d) FROM t WHERE p > 10 AND g < 100"),
          new PeerQuery("GROUP BY INT, 150 groups", "SELECT g, COUNT(*), SUM(v) FROM t GROUP BY g"),
          new PeerQuery(
              "GROUP BY VARCHAR, 1 000 groups, top 5",
              "SELECT s, COUNT(*), SUM(v) AS n FROM t GROUP BY s ORDER BY n DESC, s LIMIT 5"),
          new PeerQuery(
              "GROUP BY INT, a group for 10 rows, top 5",
              "SELECT m, COUNT(*), SUM(v) AS n FROM t GROUP BY m ORDER BY n DESC, m LIMIT 5"),
          new PeerQuery("count(DISTINCT), a value for 10 rows", "SELECT COUNT(DISTINCT m) FROM t"),
          new PeerQuery(
              "join by key, 5% of one side",
              "SELECT COUNT(*), SUM(t.v) FROM t JOIN u ON t.id = u.id WHERE u.p < 5"),
          new PeerQuery(
              "join by foreign key", "SELECT COUNT(*), SUM(k.w) FROM t JOIN k ON t.m = k.id"),
          new PeerQuery("ORDER BY … LIMIT 10", "SELECT id, v FROM t ORDER BY v DESC, id LIMIT 10"),
          new PeerQuery(
              "row_number by partition over 5%",
              "SELECT SUM(n) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY g ORDER BY v, id) AS n"
                  + " FROM t WHERE p < 5) AS numbered"),
          new PeerQuery(
              "LIKE '%7%', 1 000 distinct strings", "SELECT COUNT(*) FROM t WHERE s LIKE '%7%'"),
          new PeerQuery("UPDATE 5%, one column, durable", "UPDATE t SET v = v + 1 WHERE p < 5"),
          new PeerQuery("UPDATE 50%, one column, durable", "UPDATE t SET v = v + 1 WHERE p < 50"));
}
