package io.gpdb.bench.tpcc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * The consistency conditions 1 to 4 of the specification (3.3.2); sums of money within a tenth of a
 * cent, because SQLite adds floats.
 */
final class TpccConsistency {
  /** Each finds the districts or warehouses in which a condition does not hold. */
  private static final List<String> VIOLATIONS =
      List.of(
          "SELECT w_id FROM warehouse JOIN (SELECT d_w_id, SUM(d_ytd) AS y FROM district"
              + " GROUP BY d_w_id) AS d ON d_w_id = w_id WHERE ABS(w_ytd - y) > 0.001",
          "SELECT d_id FROM district JOIN (SELECT o_w_id, o_d_id, MAX(o_id) AS m FROM orders"
              + " GROUP BY o_w_id, o_d_id) AS o ON o_w_id = d_w_id AND o_d_id = d_id"
              + " LEFT JOIN (SELECT no_w_id, no_d_id, MAX(no_o_id) AS n FROM new_order"
              + " GROUP BY no_w_id, no_d_id) AS w ON no_w_id = d_w_id AND no_d_id = d_id"
              + " WHERE d_next_o_id - 1 <> m OR n <> m",
          "SELECT d FROM (SELECT no_d_id AS d, MAX(no_o_id) - MIN(no_o_id) + 1 AS r, COUNT(*) AS n"
              + " FROM new_order GROUP BY no_w_id, no_d_id) AS c WHERE r <> n",
          "SELECT o_d_id FROM (SELECT o_w_id, o_d_id, SUM(o_ol_cnt) AS s FROM orders"
              + " GROUP BY o_w_id, o_d_id) AS o LEFT JOIN (SELECT ol_w_id, ol_d_id, COUNT(*) AS n"
              + " FROM order_line GROUP BY ol_w_id, ol_d_id) AS l ON ol_w_id = o_w_id"
              + " AND ol_d_id = o_d_id WHERE s <> n OR n IS NULL");

  private TpccConsistency() {}

  /** The numbers of the conditions that do not hold. */
  static List<Integer> violated(Connection connection) throws SQLException {
    List<Integer> violated = new ArrayList<>();
    try (Statement statement = connection.createStatement()) {
      for (int i = 0; i < VIOLATIONS.size(); i++) {
        try (ResultSet rows = statement.executeQuery(VIOLATIONS.get(i))) {
          if (rows.next()) {
            violated.add(i + 1);
          }
        }
      }
    }
    return violated;
  }
}
