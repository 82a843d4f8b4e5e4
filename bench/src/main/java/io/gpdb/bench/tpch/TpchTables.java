package io.gpdb.bench.tpch;

import io.gpdb.bench.harness.RowSink;
import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;

/**
 * The eight tables: made, and loaded by batches. Sizes, keys and the values that queries ask for
 * are distributed as TPC-H has them; remarks and addresses are shorter, from fewer words.
 */
final class TpchTables {
  static final List<String> NAMES =
      List.of("region", "nation", "supplier", "part", "partsupp", "customer", "orders", "lineitem");

  /** Of one table each, in the order of {@link #NAMES}. */
  static final List<String> DEFINITIONS =
      List.of(
          "CREATE TABLE region (r_regionkey INTEGER PRIMARY KEY, r_name VARCHAR(25))",
          "CREATE TABLE nation (n_nationkey INTEGER PRIMARY KEY, n_name VARCHAR(25),"
              + " n_regionkey INTEGER)",
          "CREATE TABLE supplier (s_suppkey INTEGER PRIMARY KEY, s_name VARCHAR(25),"
              + " s_address VARCHAR(40), s_nationkey INTEGER, s_phone VARCHAR(15),"
              + " s_acctbal DECIMAL(15, 2), s_comment VARCHAR(101))",
          "CREATE TABLE part (p_partkey INTEGER PRIMARY KEY, p_name VARCHAR(55), p_mfgr VARCHAR(25),"
              + " p_brand VARCHAR(10), p_type VARCHAR(25), p_size INTEGER, p_container VARCHAR(10),"
              + " p_retailprice DECIMAL(15, 2))",
          "CREATE TABLE partsupp (ps_partkey INTEGER, ps_suppkey INTEGER, ps_availqty INTEGER,"
              + " ps_supplycost DECIMAL(15, 2), PRIMARY KEY (ps_partkey, ps_suppkey))",
          "CREATE TABLE customer (c_custkey INTEGER PRIMARY KEY, c_name VARCHAR(25),"
              + " c_address VARCHAR(40), c_nationkey INTEGER, c_phone VARCHAR(15),"
              + " c_acctbal DECIMAL(15, 2), c_mktsegment VARCHAR(10), c_comment VARCHAR(117))",
          "CREATE TABLE orders (o_orderkey BIGINT PRIMARY KEY, o_custkey INTEGER,"
              + " o_orderstatus VARCHAR(1), o_totalprice DECIMAL(15, 2), o_orderdate DATE,"
              + " o_orderpriority VARCHAR(15), o_shippriority INTEGER, o_comment VARCHAR(79))",
          "CREATE TABLE lineitem (l_orderkey BIGINT, l_partkey INTEGER, l_suppkey INTEGER,"
              + " l_linenumber INTEGER, l_quantity DECIMAL(15, 2), l_extendedprice DECIMAL(15, 2),"
              + " l_discount DECIMAL(15, 2), l_tax DECIMAL(15, 2), l_returnflag VARCHAR(1),"
              + " l_linestatus VARCHAR(1), l_shipdate DATE, l_commitdate DATE, l_receiptdate DATE,"
              + " l_shipinstruct VARCHAR(25), l_shipmode VARCHAR(10),"
              + " PRIMARY KEY (l_orderkey, l_linenumber))");

  private static final int BATCH_ROWS = 50_000;
  private static final LocalDate FIRST_ORDER = LocalDate.of(1992, 1, 1);
  private static final int DAYS_OF_ORDERS = 2406;
  private static final LocalDate TODAY = LocalDate.of(1995, 6, 17);

  private final Connection connection;
  private final TpchScale scale;
  private final SplittableRandom random;
  private final Consumer<String> told;

  private TpchTables(Connection connection, TpchScale scale, long seed, Consumer<String> told) {
    this.connection = connection;
    this.scale = scale;
    this.random = new SplittableRandom(seed);
    this.told = told;
  }

  /**
   * Makes and loads all tables; the same seed makes the same rows.
   *
   * @param told how far it is
   */
  static void load(Connection connection, TpchScale scale, long seed, Consumer<String> told)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String definition : DEFINITIONS) {
        statement.execute(definition);
      }
    }
    connection.setAutoCommit(false);
    TpchTables tables = new TpchTables(connection, scale, seed, told);
    tables.regions();
    tables.suppliers();
    tables.parts();
    tables.customers();
    tables.orders();
    connection.commit();
    connection.setAutoCommit(true);
  }

  private RowSink rows(String table, int columns) throws SQLException {
    return RowSink.of(connection, table, columns, BATCH_ROWS);
  }

  private void say(String what, int done, int all) {
    if (done % BATCH_ROWS == 0) {
      told.accept("loading %s, %,d of %,d".formatted(what, done, all));
    }
  }

  private static BigDecimal cents(long cents) {
    return BigDecimal.valueOf(cents, 2);
  }

  private BigDecimal balance() {
    return cents(random.nextInt(-99_999, 1_000_000));
  }

  private void regions() throws SQLException {
    try (RowSink regions = rows("region", 2);
        RowSink nations = rows("nation", 3)) {
      for (int r = 0; r < TpchText.REGIONS.size(); r++) {
        regions.add(r, TpchText.REGIONS.get(r));
      }
      for (int n = 0; n < TpchText.NATIONS.size(); n++) {
        String nation = TpchText.NATIONS.get(n);
        int last = nation.length() - 1;
        nations.add(n, nation.substring(0, last), nation.charAt(last) - '0');
      }
    }
  }

  private void suppliers() throws SQLException {
    try (RowSink suppliers = rows("supplier", 7)) {
      for (int s = 1; s <= scale.suppliers(); s++) {
        int nation = random.nextInt(TpchText.NATIONS.size());
        String remark = TpchText.remark(random);
        suppliers.add(
            s,
            "Supplier#%09d".formatted(s),
            TpchText.remark(random),
            nation,
            TpchText.phone(random, nation),
            balance(),
            random.nextInt(100) == 0 ? "Customer " + remark + " Complaints" : remark);
      }
    }
  }

  private void parts() throws SQLException {
    try (RowSink parts = rows("part", 8);
        RowSink offers = rows("partsupp", 4)) {
      for (int p = 1; p <= scale.parts(); p++) {
        say("parts and their offers", p, scale.parts());
        int maker = random.nextInt(1, 6);
        parts.add(
            p,
            TpchText.partName(random),
            "Manufacturer#" + maker,
            "Brand#" + maker + random.nextInt(1, 6),
            TpchText.partType(random),
            random.nextInt(1, 51),
            TpchText.container(random),
            cents(price(p)));
        for (int i = 0; i < TpchScale.SUPPLIERS_OF_A_PART; i++) {
          offers.add(
              p, supplier(p, i), random.nextInt(1, 10_000), cents(random.nextInt(100, 100_001)));
        }
      }
    }
  }

  /** One of the four suppliers of a part. */
  private int supplier(int part, int i) {
    int apart = scale.suppliers() / TpchScale.SUPPLIERS_OF_A_PART;
    return (part + i * apart) % scale.suppliers() + 1;
  }

  private static long price(int part) {
    return 90_000 + part / 10 % 20_001 + 100L * (part % 1000);
  }

  private void customers() throws SQLException {
    try (RowSink customers = rows("customer", 8)) {
      for (int c = 1; c <= scale.customers(); c++) {
        say("customers", c, scale.customers());
        int nation = random.nextInt(TpchText.NATIONS.size());
        customers.add(
            c,
            "Customer#%09d".formatted(c),
            TpchText.remark(random),
            nation,
            TpchText.phone(random, nation),
            balance(),
            TpchText.one(random, TpchText.SEGMENTS),
            TpchText.remark(random));
      }
    }
  }

  private void orders() throws SQLException {
    try (RowSink orders = rows("orders", 8);
        RowSink lines = rows("lineitem", 15)) {
      for (int o = 0; o < scale.orders(); o++) {
        say("orders and their lines", o, scale.orders());
        LocalDate day = FIRST_ORDER.plusDays(random.nextInt(DAYS_OF_ORDERS));
        Lines made = lines(lines, TpchScale.orderKey(o), day);
        orders.add(
            TpchScale.orderKey(o),
            customer(),
            made.status(),
            cents(made.cents()),
            day,
            TpchText.one(random, TpchText.PRIORITIES),
            0,
            TpchText.remark(random));
      }
    }
  }

  /** Every third customer never orders. */
  private int customer() {
    int customer = random.nextInt(1, scale.customers() + 1);
    return customer % 3 == 0 ? customer - 1 : customer;
  }

  /** The lines of one order, summed up. */
  private record Lines(int count, int shipped, long cents) {
    String status() {
      return shipped == count ? "F" : shipped == 0 ? "O" : "P";
    }
  }

  private Lines lines(RowSink lines, long order, LocalDate day) throws SQLException {
    int count = random.nextInt(1, TpchScale.LINES_OF_AN_ORDER_MAX + 1);
    int shipped = 0;
    long sum = 0;
    for (int line = 1; line <= count; line++) {
      int part = random.nextInt(1, scale.parts() + 1);
      int quantity = random.nextInt(1, 51);
      int discount = random.nextInt(11);
      int tax = random.nextInt(9);
      LocalDate sent = day.plusDays(random.nextInt(1, 122));
      LocalDate received = sent.plusDays(random.nextInt(1, 31));
      boolean isSent = !sent.isAfter(TODAY);
      lines.add(
          order,
          part,
          supplier(part, random.nextInt(TpchScale.SUPPLIERS_OF_A_PART)),
          line,
          cents(quantity * 100L),
          cents(quantity * price(part)),
          cents(discount),
          cents(tax),
          received.isAfter(TODAY) ? "N" : random.nextBoolean() ? "R" : "A",
          isSent ? "F" : "O",
          sent,
          day.plusDays(random.nextInt(30, 91)),
          received,
          TpchText.one(random, TpchText.INSTRUCTIONS),
          TpchText.one(random, TpchText.MODES));
      shipped += isSent ? 1 : 0;
      sum += quantity * price(part) * (100 - discount) * (100 + tax) / 10_000;
    }
    return new Lines(count, shipped, sum);
  }
}
