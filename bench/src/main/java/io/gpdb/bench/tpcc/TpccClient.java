package io.gpdb.bench.tpcc;

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One terminal: runs transactions of the mix on its connection, again where one was refused. */
final class TpccClient implements AutoCloseable {
  private static final int ATTEMPTS_MAX = 1000;

  private final Connection connection;
  private final Scale scale;
  private final TpccRandom random;
  private final int home;
  private final TpccDatabase database;
  private boolean begun;
  private final Map<String, PreparedStatement> statements = new HashMap<>();
  private final Map<String, StatementCost> costs = new HashMap<>();
  private long commits;
  private long newOrders;
  private long conflicts;

  TpccClient(Connection connection, Scale scale, int number, long seed, TpccDatabase database)
      throws SQLException {
    this.connection = connection;
    this.scale = scale;
    this.home = number % scale.warehouses() + 1;
    this.random = new TpccRandom(seed + number);
    this.database = database;
    connection.setAutoCommit(database.beginsByStatement());
  }

  /**
   * The sum of all transactions that were committed, the new orders that rolled back among them.
   */
  long commits() {
    return commits;
  }

  long newOrders() {
    return newOrders;
  }

  long conflicts() {
    return conflicts;
  }

  Map<String, StatementCost> costs() {
    return costs;
  }

  /** One of the five. */
  @FunctionalInterface
  private interface Transaction {
    void run() throws SQLException;
  }

  /** One transaction, by the mix of the specification (5.2.3). */
  void runOne() throws SQLException {
    int dice = random.between(1, 100);
    if (dice <= 45) {
      NewOrder order = new NewOrder();
      retried(order);
      newOrders++;
    } else if (dice <= 88) {
      retried(new Payment());
    } else if (dice <= 92) {
      retried(new OrderStatus());
    } else if (dice <= 96) {
      int carrier = random.between(1, 10);
      retried(() -> delivery(carrier));
    } else {
      int district = random.between(1, Scale.DISTRICTS);
      int threshold = random.between(10, 20);
      retried(() -> stockLevel(district, threshold));
    }
    commits++;
  }

  private void retried(Transaction transaction) throws SQLException {
    for (int attempt = 1; ; attempt++) {
      try {
        begin();
        transaction.run();
        return;
      } catch (SQLException e) {
        rollback();
        if (!isConflict(e) || attempt == ATTEMPTS_MAX) {
          throw e;
        }
        conflicts++;
      }
    }
  }

  private static boolean isConflict(SQLException e) {
    String state = e.getSQLState();
    boolean busy = e.getMessage() != null && e.getMessage().contains("SQLITE_BUSY");
    return busy || (state != null && (state.startsWith("40") || state.startsWith("HYT")));
  }

  private PreparedStatement bound(String sql, @Nullable Object... values) throws SQLException {
    PreparedStatement statement = statements.get(sql);
    if (statement == null) {
      String text = database.locks() ? sql : sql.replace(" FOR UPDATE", "");
      statement = connection.prepareStatement(text);
      statements.put(sql, statement);
    }
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
    return statement;
  }

  private StatementCost cost(String sql) {
    return costs.computeIfAbsent(sql, s -> new StatementCost());
  }

  /** The rows, read to the end: the columns as objects. */
  private List<Object[]> query(String sql, @Nullable Object... values) throws SQLException {
    long start = System.nanoTime();
    List<Object[]> all = new ArrayList<>();
    try (ResultSet rows = bound(sql, values).executeQuery()) {
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        Object[] row = new Object[columns];
        for (int c = 0; c < columns; c++) {
          row[c] = rows.getObject(c + 1);
        }
        all.add(row);
      }
    }
    note(sql, start);
    return all;
  }

  private void note(String sql, long start) {
    cost(sql).add(System.nanoTime() - start);
  }

  private int update(String sql, @Nullable Object... values) throws SQLException {
    long start = System.nanoTime();
    int count = bound(sql, values).executeUpdate();
    note(sql, start);
    return count;
  }

  private void commit() throws SQLException {
    long start = System.nanoTime();
    if (database.beginsByStatement()) {
      execute("COMMIT");
      begun = false;
    } else {
      connection.commit();
    }
    note("COMMIT", start);
  }

  private void begin() throws SQLException {
    if (database.beginsByStatement()) {
      execute("BEGIN IMMEDIATE");
      begun = true;
    }
  }

  private void rollback() throws SQLException {
    if (!database.beginsByStatement()) {
      connection.rollback();
    } else if (begun) {
      begun = false;
      execute("ROLLBACK");
    }
  }

  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static int number(Object value) {
    return ((Number) value).intValue();
  }

  private static BigDecimal decimal(Object value) {
    return value instanceof BigDecimal exact ? exact : new BigDecimal(value.toString());
  }

  private static Timestamp now() {
    return new Timestamp(System.currentTimeMillis());
  }

  private int otherWarehouse() {
    int other = random.between(1, Math.max(1, scale.warehouses() - 1));
    return scale.warehouses() == 1 ? home : other >= home ? other + 1 : other;
  }

  /** The New-Order transaction (2.4), with the same input in each attempt. */
  private final class NewOrder implements Transaction {
    private final int district = random.between(1, Scale.DISTRICTS);
    private final int customer = random.customer(scale);
    private final int[] items = new int[random.between(5, 15)];
    private final int[] suppliers = new int[items.length];
    private final int[] quantities = new int[items.length];
    private final boolean rollsBack = random.percent(1);

    NewOrder() {
      for (int i = 0; i < items.length; i++) {
        items[i] = random.item(scale);
        suppliers[i] = random.percent(1) ? otherWarehouse() : home;
        quantities[i] = random.between(1, 10);
      }
      Arrays.sort(items); // locks are taken in one order
    }

    @Override
    public void run() throws SQLException {
      query("SELECT w_tax FROM warehouse WHERE w_id = ?", home);
      update(
          "UPDATE district SET d_next_o_id = d_next_o_id + 1 WHERE d_w_id = ? AND d_id = ?",
          home,
          district);
      Object[] row =
          query(
                  "SELECT d_next_o_id, d_tax FROM district WHERE d_w_id = ? AND d_id = ?",
                  home,
                  district)
              .getFirst();
      int order = number(row[0]) - 1;
      query(
          "SELECT c_discount, c_last, c_credit FROM customer WHERE c_w_id = ? AND c_d_id = ?"
              + " AND c_id = ?",
          home,
          district,
          customer);
      boolean local = Arrays.stream(suppliers).allMatch(s -> s == home);
      update(
          "INSERT INTO orders VALUES (?, ?, ?, ?, ?, NULL, ?, ?)",
          home,
          district,
          order,
          customer,
          now(),
          items.length,
          local ? 1 : 0);
      update("INSERT INTO new_order VALUES (?, ?, ?)", home, district, order);
      for (int i = 0; i < items.length; i++) {
        boolean unused = rollsBack && i == items.length - 1;
        List<Object[]> item =
            query("SELECT i_price, i_name FROM item WHERE i_id = ?", unused ? -1 : items[i]);
        if (item.isEmpty()) {
          rollback();
          return;
        }
        line(order, i, decimal(item.getFirst()[0]));
      }
      commit();
    }

    private void line(int order, int i, BigDecimal price) throws SQLException {
      Object[] stock =
          query(
                  "SELECT s_quantity, s_dist FROM stock WHERE s_w_id = ? AND s_i_id = ?"
                      + " FOR UPDATE",
                  suppliers[i],
                  items[i])
              .getFirst();
      int left = number(stock[0]) - quantities[i];
      update(
          "UPDATE stock SET s_quantity = ?, s_ytd = s_ytd + ?, s_order_cnt = s_order_cnt + 1,"
              + " s_remote_cnt = s_remote_cnt + ? WHERE s_w_id = ? AND s_i_id = ?",
          left >= 10 ? left : left + 91,
          quantities[i],
          suppliers[i] == home ? 0 : 1,
          suppliers[i],
          items[i]);
      update(
          "INSERT INTO order_line VALUES (?, ?, ?, ?, ?, ?, NULL, ?, ?, ?)",
          home,
          district,
          order,
          i + 1,
          items[i],
          suppliers[i],
          quantities[i],
          price.multiply(BigDecimal.valueOf(quantities[i])),
          stock[1]);
    }
  }

  /** A customer named by number, or by a last name that several have (2.5.2). */
  private int customerBy(int warehouse, int district, @Nullable String lastName, int number)
      throws SQLException {
    if (lastName == null) {
      return number;
    }
    List<Object[]> all =
        query(
            "SELECT c_id FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_last = ?"
                + " ORDER BY c_first",
            warehouse,
            district,
            lastName);
    return all.isEmpty() ? number : number(all.get((all.size() - 1) / 2)[0]);
  }

  /** The Payment transaction (2.5). */
  private final class Payment implements Transaction {
    private final int district = random.between(1, Scale.DISTRICTS);
    private final boolean local = random.percent(85);
    private final int warehouse = local ? home : otherWarehouse();
    private final int customerDistrict = local ? district : random.between(1, Scale.DISTRICTS);
    private final @Nullable String name = random.percent(60) ? random.lastName(scale) : null;
    private final int number = random.customer(scale);
    private final BigDecimal amount = random.money(100, 500_000);

    @Override
    public void run() throws SQLException {
      update("UPDATE warehouse SET w_ytd = w_ytd + ? WHERE w_id = ?", amount, home);
      query("SELECT w_name FROM warehouse WHERE w_id = ?", home);
      update(
          "UPDATE district SET d_ytd = d_ytd + ? WHERE d_w_id = ? AND d_id = ?",
          amount,
          home,
          district);
      query("SELECT d_name FROM district WHERE d_w_id = ? AND d_id = ?", home, district);
      int customer = customerBy(warehouse, customerDistrict, name, number);
      update(
          "UPDATE customer SET c_balance = c_balance - ?, c_ytd_payment = c_ytd_payment + ?,"
              + " c_payment_cnt = c_payment_cnt + 1 WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
          amount,
          amount,
          warehouse,
          customerDistrict,
          customer);
      Object[] row =
          query(
                  "SELECT c_credit, c_data FROM customer WHERE c_w_id = ? AND c_d_id = ?"
                      + " AND c_id = ?",
                  warehouse,
                  customerDistrict,
                  customer)
              .getFirst();
      if (row[0].equals("BC")) {
        String data = customer + " " + district + " " + amount + " " + row[1];
        update(
            "UPDATE customer SET c_data = ? WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
            data.substring(0, Math.min(500, data.length())),
            warehouse,
            customerDistrict,
            customer);
      }
      update(
          "INSERT INTO history VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
          customer,
          customerDistrict,
          warehouse,
          district,
          home,
          now(),
          amount,
          "payment");
      commit();
    }
  }

  /** The Order-Status transaction (2.6). */
  private final class OrderStatus implements Transaction {
    private final int district = random.between(1, Scale.DISTRICTS);
    private final @Nullable String name = random.percent(60) ? random.lastName(scale) : null;
    private final int number = random.customer(scale);

    @Override
    public void run() throws SQLException {
      int customer = customerBy(home, district, name, number);
      query(
          "SELECT c_balance, c_first FROM customer WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
          home,
          district,
          customer);
      List<Object[]> last =
          query(
              "SELECT MAX(o_id) FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_c_id = ?",
              home,
              district,
              customer);
      Object order = last.getFirst()[0];
      if (order != null) {
        query(
            "SELECT ol_i_id, ol_supply_w_id, ol_quantity, ol_amount, ol_delivery_d"
                + " FROM order_line WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id = ?",
            home,
            district,
            number(order));
      }
      commit();
    }
  }

  /** The Delivery transaction (2.7): the oldest new order of each district. */
  private void delivery(int carrier) throws SQLException {
    for (int d = 1; d <= Scale.DISTRICTS; d++) {
      Object oldest =
          query("SELECT MIN(no_o_id) FROM new_order WHERE no_w_id = ? AND no_d_id = ?", home, d)
              .getFirst()[0];
      if (oldest == null) {
        continue;
      }
      int order = number(oldest);
      int deleted =
          update(
              "DELETE FROM new_order WHERE no_w_id = ? AND no_d_id = ? AND no_o_id = ?",
              home,
              d,
              order);
      if (deleted == 0) {
        continue; // another terminal delivers it
      }
      int customer =
          number(
              query(
                      "SELECT o_c_id FROM orders WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?",
                      home,
                      d,
                      order)
                  .getFirst()[0]);
      update(
          "UPDATE orders SET o_carrier_id = ? WHERE o_w_id = ? AND o_d_id = ? AND o_id = ?",
          carrier,
          home,
          d,
          order);
      update(
          "UPDATE order_line SET ol_delivery_d = ? WHERE ol_w_id = ? AND ol_d_id = ?"
              + " AND ol_o_id = ?",
          now(),
          home,
          d,
          order);
      BigDecimal sum =
          decimal(
              query(
                      "SELECT SUM(ol_amount) FROM order_line WHERE ol_w_id = ? AND ol_d_id = ?"
                          + " AND ol_o_id = ?",
                      home,
                      d,
                      order)
                  .getFirst()[0]);
      update(
          "UPDATE customer SET c_balance = c_balance + ?, c_delivery_cnt = c_delivery_cnt + 1"
              + " WHERE c_w_id = ? AND c_d_id = ? AND c_id = ?",
          sum,
          home,
          d,
          customer);
    }
    commit();
  }

  /** The Stock-Level transaction (2.8). */
  private void stockLevel(int district, int threshold) throws SQLException {
    int next =
        number(
            query("SELECT d_next_o_id FROM district WHERE d_w_id = ? AND d_id = ?", home, district)
                .getFirst()[0]);
    query(
        "SELECT COUNT(DISTINCT s_i_id) FROM order_line JOIN stock ON s_w_id = ol_w_id"
            + " AND s_i_id = ol_i_id WHERE ol_w_id = ? AND ol_d_id = ? AND ol_o_id < ?"
            + " AND ol_o_id >= ? AND s_quantity < ?",
        home,
        district,
        next,
        next - 20,
        threshold);
    commit();
  }

  @Override
  public void close() throws SQLException {
    for (PreparedStatement statement : statements.values()) {
      statement.close();
    }
    connection.close();
  }
}
