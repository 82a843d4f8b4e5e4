package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.Timeout;

/**
 * Queries over orders, parts and suppliers in the shapes of a benchmark for decision support, with
 * tables in the order in which they are usually written. With the joins in that order most would
 * take minutes.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DecisionQueriesTest {
  private static final int SUPPLIERS = 40;
  private static final int PARTS = 600;
  private static final int CUSTOMERS = 300;
  private static final int ORDERS = 3000;
  private static final int ROWS_OF_INSERT = 500;

  private final EndToEnd db = new EndToEnd();
  private OtherEngine h2;

  @BeforeAll
  void fill() throws SQLException {
    h2 = new OtherEngine("H2", "jdbc:h2:mem:decisions");
    Random r = new Random(1);
    both("CREATE TABLE region (r_regionkey INT PRIMARY KEY, r_name VARCHAR(25))");
    both("CREATE TABLE nation (n_nationkey INT PRIMARY KEY, n_name VARCHAR(25), n_regionkey INT)");
    both(
        "CREATE TABLE supplier (s_suppkey INT PRIMARY KEY, s_name VARCHAR(25), s_nationkey INT,"
            + " s_acctbal DECIMAL(12, 2))");
    both(
        "CREATE TABLE part (p_partkey INT PRIMARY KEY, p_name VARCHAR(55), p_brand VARCHAR(10),"
            + " p_type VARCHAR(25), p_size INT, p_container VARCHAR(10))");
    both(
        "CREATE TABLE partsupp (ps_partkey INT, ps_suppkey INT, ps_supplycost DECIMAL(12, 2),"
            + " PRIMARY KEY (ps_partkey, ps_suppkey))");
    both("CREATE TABLE customer (c_custkey INT PRIMARY KEY, c_nationkey INT)");
    both("CREATE TABLE orders (o_orderkey INT PRIMARY KEY, o_custkey INT, o_year INT)");
    both(
        "CREATE TABLE lineitem (l_orderkey INT, l_partkey INT, l_suppkey INT, l_linenumber INT,"
            + " l_quantity INT, l_price DECIMAL(12, 2), l_mode VARCHAR(10),"
            + " PRIMARY KEY (l_orderkey, l_linenumber))");
    String[] regions = {"AFRICA", "AMERICA", "ASIA", "EUROPE", "MIDDLE EAST"};
    rows("region", 5, i -> i + ", '" + regions[i] + "'");
    rows("nation", 25, i -> i + ", 'NATION" + i + "', " + i % 5);
    rows(
        "supplier",
        SUPPLIERS,
        i -> i + ", 'S" + i + "', " + r.nextInt(25) + ", " + r.nextInt(9999) + ".5");
    String[] types = {"ECONOMY STEEL", "ECONOMY BRASS", "LARGE STEEL", "SMALL TIN"};
    String[] boxes = {"SM CASE", "SM BOX", "MED BAG", "MED BOX", "LG CASE", "LG BOX"};
    rows(
        "part",
        PARTS,
        i ->
            i
                + ", '"
                + (r.nextInt(5) == 0 ? "green" : "red")
                + " thing "
                + i
                + "', 'Brand#"
                + (11 + r.nextInt(5))
                + "', '"
                + types[r.nextInt(4)]
                + "', "
                + (1 + r.nextInt(20))
                + ", '"
                + boxes[r.nextInt(6)]
                + "'");
    rows(
        "partsupp",
        PARTS * 4,
        i -> i / 4 + ", " + (i / 4 + i % 4 * 10) % SUPPLIERS + ", " + r.nextInt(1000) + ".25");
    rows("customer", CUSTOMERS, i -> i + ", " + r.nextInt(25));
    rows("orders", ORDERS, i -> i + ", " + r.nextInt(CUSTOMERS) + ", " + (1992 + r.nextInt(7)));
    rows(
        "lineitem",
        ORDERS * 4,
        i -> {
          int part = r.nextInt(PARTS);
          return i / 4
              + ", "
              + part
              + ", "
              + (part + r.nextInt(4) * 10) % SUPPLIERS
              + ", "
              + i % 4
              + ", "
              + (1 + r.nextInt(50))
              + ", "
              + r.nextInt(9000)
              + ".75, '"
              + (r.nextInt(3) == 0 ? "AIR" : "RAIL")
              + "'";
        });
  }

  private interface Row {
    String values(int i);
  }

  private void rows(String table, int count, Row row) throws SQLException {
    for (int from = 0; from < count; from += ROWS_OF_INSERT) {
      List<String> values = new ArrayList<>();
      for (int i = from; i < Math.min(count, from + ROWS_OF_INSERT); i++) {
        values.add("(" + row.values(i) + ")");
      }
      both("INSERT INTO " + table + " VALUES " + String.join(", ", values));
    }
  }

  private void both(String sql) throws SQLException {
    db.run(sql);
    h2.run(sql);
  }

  @AfterAll
  void close() throws SQLException {
    db.close();
    h2.close();
  }

  private void assertSame(String sql) {
    List<String> expected = h2.rows(sql);
    assertThat(expected).as(sql).isNotEmpty();
    assertThat(db.rows(sql).stream().sorted().toList()).as(sql).isEqualTo(expected);
    List<String> plan = db.rows("EXPLAIN " + sql);
    assertThat(plan).as(sql).noneMatch(line -> line.contains("enumerable"));
  }

  @Test
  @Timeout(60)
  void theCheapestSuppliersOfARegion() {
    assertSame(
        "SELECT s_acctbal, s_name, n_name, p_partkey FROM part, supplier, partsupp, nation, region"
            + " WHERE p_partkey = ps_partkey AND s_suppkey = ps_suppkey AND p_size = 15"
            + " AND p_type LIKE '%BRASS' AND s_nationkey = n_nationkey"
            + " AND n_regionkey = r_regionkey AND r_name = 'EUROPE' AND ps_supplycost ="
            + " (SELECT MIN(ps_supplycost) FROM partsupp, supplier, nation, region"
            + " WHERE p_partkey = ps_partkey AND s_suppkey = ps_suppkey"
            + " AND s_nationkey = n_nationkey AND n_regionkey = r_regionkey"
            + " AND r_name = 'EUROPE')");
  }

  @Test
  @Timeout(60)
  void theShareOfANationInAMarket() {
    assertSame(
        "SELECT o_year, SUM(CASE WHEN nation = 'NATION7' THEN volume ELSE 0.00 END), SUM(volume)"
            + " FROM (SELECT o_year, l_price AS volume, n2.n_name AS nation"
            + " FROM part, supplier, lineitem, orders, customer, nation n1, nation n2, region"
            + " WHERE p_partkey = l_partkey AND s_suppkey = l_suppkey"
            + " AND l_orderkey = o_orderkey AND o_custkey = c_custkey"
            + " AND c_nationkey = n1.n_nationkey AND n1.n_regionkey = r_regionkey"
            + " AND r_name = 'AMERICA' AND s_nationkey = n2.n_nationkey"
            + " AND o_year BETWEEN 1995 AND 1996 AND p_type = 'ECONOMY STEEL') AS all_nations"
            + " GROUP BY o_year");
  }

  @Test
  @Timeout(60)
  void theProfitOfALineOfParts() {
    assertSame(
        "SELECT n_name, o_year, SUM(l_price - ps_supplycost * l_quantity)"
            + " FROM part, supplier, lineitem, partsupp, orders, nation"
            + " WHERE s_suppkey = l_suppkey AND ps_suppkey = l_suppkey AND ps_partkey = l_partkey"
            + " AND p_partkey = l_partkey AND o_orderkey = l_orderkey"
            + " AND s_nationkey = n_nationkey AND p_name LIKE '%green%' GROUP BY n_name, o_year");
  }

  @Test
  @Timeout(60)
  void alternativesThatHaveTheirKeyInCommon() {
    String sql =
        "SELECT SUM(l_price) FROM lineitem, part WHERE"
            + " (p_partkey = l_partkey AND p_brand = 'Brand#12'"
            + " AND p_container IN ('SM CASE', 'SM BOX') AND l_quantity BETWEEN 1 AND 21"
            + " AND p_size BETWEEN 1 AND 5 AND l_mode IN ('AIR', 'SHIP'))"
            + " OR (p_partkey = l_partkey AND p_brand = 'Brand#13'"
            + " AND p_container IN ('MED BAG', 'MED BOX') AND l_quantity BETWEEN 10 AND 40"
            + " AND p_size BETWEEN 1 AND 10 AND l_mode IN ('AIR', 'SHIP'))"
            + " OR (p_partkey = l_partkey AND p_brand = 'Brand#14'"
            + " AND p_container IN ('LG CASE', 'LG BOX') AND l_quantity BETWEEN 20 AND 50"
            + " AND p_size BETWEEN 1 AND 15 AND l_mode IN ('AIR', 'SHIP'))";
    assertSame(sql);
    assertThat(db.rows("EXPLAIN " + sql))
        .anyMatch(line -> line.contains("inner join on"))
        .anyMatch(line -> line.contains("L_MODE"));
  }

  @Test
  @Timeout(60)
  void suppliersOfOneNationToCustomersOfAnother() {
    assertSame(
        "SELECT n1.n_name, n2.n_name, COUNT(*), SUM(l_price)"
            + " FROM supplier, lineitem, orders, customer, nation n1, nation n2"
            + " WHERE s_suppkey = l_suppkey AND o_orderkey = l_orderkey AND c_custkey = o_custkey"
            + " AND s_nationkey = n1.n_nationkey AND c_nationkey = n2.n_nationkey"
            + " AND ((n1.n_name = 'NATION3' AND n2.n_name = 'NATION4')"
            + " OR (n1.n_name = 'NATION4' AND n2.n_name = 'NATION3')) GROUP BY n1.n_name,"
            + " n2.n_name");
  }
}
