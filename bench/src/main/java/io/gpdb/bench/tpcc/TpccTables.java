package io.gpdb.bench.tpcc;

import io.gpdb.bench.harness.BatchedInsert;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.List;

/** The nine tables: made, and loaded by batches. */
final class TpccTables {
  private static final List<String> DEFINITIONS =
      List.of(
          "CREATE TABLE warehouse (w_id INTEGER PRIMARY KEY, w_name VARCHAR(10), w_tax DECIMAL(4, 4),"
              + " w_ytd DECIMAL(12, 2))",
          "CREATE TABLE district (d_w_id INTEGER, d_id INTEGER, d_name VARCHAR(10),"
              + " d_tax DECIMAL(4, 4), d_ytd DECIMAL(12, 2), d_next_o_id INTEGER,"
              + " PRIMARY KEY (d_w_id, d_id))",
          "CREATE TABLE customer (c_w_id INTEGER, c_d_id INTEGER, c_id INTEGER,"
              + " c_first VARCHAR(16), c_middle VARCHAR(2), c_last VARCHAR(16),"
              + " c_credit VARCHAR(2), c_discount DECIMAL(4, 4), c_balance DECIMAL(12, 2),"
              + " c_ytd_payment DECIMAL(12, 2), c_payment_cnt INTEGER, c_delivery_cnt INTEGER,"
              + " c_data VARCHAR(500), PRIMARY KEY (c_w_id, c_d_id, c_id))",
          "CREATE TABLE history (h_c_id INTEGER, h_c_d_id INTEGER, h_c_w_id INTEGER,"
              + " h_d_id INTEGER, h_w_id INTEGER, h_date TIMESTAMP, h_amount DECIMAL(6, 2),"
              + " h_data VARCHAR(24))",
          "CREATE TABLE new_order (no_w_id INTEGER, no_d_id INTEGER, no_o_id INTEGER,"
              + " PRIMARY KEY (no_w_id, no_d_id, no_o_id))",
          "CREATE TABLE orders (o_w_id INTEGER, o_d_id INTEGER, o_id INTEGER, o_c_id INTEGER,"
              + " o_entry_d TIMESTAMP, o_carrier_id INTEGER, o_ol_cnt INTEGER, o_all_local INTEGER,"
              + " PRIMARY KEY (o_w_id, o_d_id, o_id))",
          "CREATE TABLE order_line (ol_w_id INTEGER, ol_d_id INTEGER, ol_o_id INTEGER,"
              + " ol_number INTEGER, ol_i_id INTEGER, ol_supply_w_id INTEGER,"
              + " ol_delivery_d TIMESTAMP, ol_quantity INTEGER, ol_amount DECIMAL(6, 2),"
              + " ol_dist_info VARCHAR(24), PRIMARY KEY (ol_w_id, ol_d_id, ol_o_id, ol_number))",
          "CREATE TABLE item (i_id INTEGER PRIMARY KEY, i_name VARCHAR(24), i_price DECIMAL(5, 2),"
              + " i_data VARCHAR(50))",
          "CREATE TABLE stock (s_w_id INTEGER, s_i_id INTEGER, s_quantity INTEGER,"
              + " s_dist VARCHAR(24), s_ytd INTEGER, s_order_cnt INTEGER, s_remote_cnt INTEGER,"
              + " s_data VARCHAR(50), PRIMARY KEY (s_w_id, s_i_id))",
          "CREATE INDEX customer_name ON customer (c_w_id, c_d_id, c_last)",
          "CREATE INDEX orders_customer ON orders (o_w_id, o_d_id, o_c_id, o_id)");

  private static final int BATCH_ROWS = 10_000;

  private final Connection connection;
  private final Scale scale;
  private final TpccRandom random;
  private final Timestamp now = new Timestamp(1_700_000_000_000L);

  private TpccTables(Connection connection, Scale scale, long seed) {
    this.connection = connection;
    this.scale = scale;
    this.random = new TpccRandom(seed);
  }

  static void load(Connection connection, Scale scale, long seed) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String definition : DEFINITIONS) {
        statement.execute(definition);
      }
    }
    connection.setAutoCommit(false);
    TpccTables tables = new TpccTables(connection, scale, seed);
    tables.items();
    for (int w = 1; w <= scale.warehouses(); w++) {
      tables.warehouse(w);
      for (int d = 1; d <= Scale.DISTRICTS; d++) {
        tables.customers(w, d);
        tables.orders(w, d);
      }
    }
    connection.commit();
    connection.setAutoCommit(true);
  }

  private BatchedInsert rows(String table, int columns) throws SQLException {
    return new BatchedInsert(connection, table, columns, BATCH_ROWS);
  }

  private void items() throws SQLException {
    try (BatchedInsert items = rows("item", 4)) {
      for (int i = 1; i <= scale.items(); i++) {
        items.add(i, random.text(14, 24), random.money(100, 10_000), random.text(26, 50));
      }
    }
  }

  private void warehouse(int w) throws SQLException {
    try (BatchedInsert warehouses = rows("warehouse", 4);
        BatchedInsert districts = rows("district", 6);
        BatchedInsert stock = rows("stock", 8)) {
      warehouses.add(w, random.text(6, 10), tax(), random.money(30_000_000, 30_000_000));
      for (int d = 1; d <= Scale.DISTRICTS; d++) {
        districts.add(
            w,
            d,
            random.text(6, 10),
            tax(),
            random.money(3_000_000, 3_000_000),
            scale.customers() + 1);
      }
      for (int i = 1; i <= scale.items(); i++) {
        stock.add(w, i, random.between(10, 100), random.text(24, 24), 0, 0, 0, random.text(26, 50));
      }
    }
  }

  private BigDecimal tax() {
    return BigDecimal.valueOf(random.between(0, 2000), 4);
  }

  private void customers(int w, int d) throws SQLException {
    try (BatchedInsert customers = rows("customer", 13);
        BatchedInsert history = rows("history", 8)) {
      for (int c = 1; c <= scale.customers(); c++) {
        customers.add(
            w,
            d,
            c,
            random.text(8, 16),
            "OE",
            random.lastNameOf(c),
            random.percent(10) ? "BC" : "GC",
            BigDecimal.valueOf(random.between(0, 5000), 4),
            random.money(-1000, -1000),
            random.money(1000, 1000),
            1,
            0,
            random.text(300, 500));
        history.add(c, d, w, d, w, now, random.money(1000, 1000), random.text(12, 24));
      }
    }
  }

  private void orders(int w, int d) throws SQLException {
    int[] customers = random.permutation(scale.customers());
    try (BatchedInsert orders = rows("orders", 8);
        BatchedInsert lines = rows("order_line", 10);
        BatchedInsert fresh = rows("new_order", 3)) {
      for (int o = 1; o <= customers.length; o++) {
        boolean isNew = o >= scale.firstNewOrder();
        int count = random.between(5, 15);
        Integer carrier = isNew ? null : Integer.valueOf(random.between(1, 10));
        orders.add(w, d, o, customers[o - 1], now, carrier, count, 1);
        for (int l = 1; l <= count; l++) {
          lines.add(
              w,
              d,
              o,
              l,
              random.between(1, scale.items()),
              w,
              isNew ? null : now,
              5,
              isNew ? random.money(1, 999_999) : random.money(0, 0),
              random.text(24, 24));
        }
        if (isNew) {
          fresh.add(w, d, o);
        }
      }
    }
  }
}
