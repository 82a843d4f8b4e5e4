package io.gpdb.planner;

import io.gpdb.exec.Device;
import io.gpdb.exec.cuda.CudaDevice;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.exec.spread.SpreadDevice;
import io.gpdb.planner.mapping.BridgedTrees;
import io.gpdb.planner.statement.EngineOptions;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.Result;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.simulation.far.FarDevice;
import io.gpdb.simulation.far.FarMachine;
import io.gpdb.sql.catalog.Catalog;
import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.type.InstantText;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.type.UuidText;
import io.gpdb.sql.type.WideDecimal;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.storage.memory.MemoryAccount;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.TransactionManager;
import io.gpdb.txn.api.TxnOptions;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A whole engine on a directory, driven by SQL text; rows come back as text. With {@code
 * -Dgpdb.device=far} on a device whose memory the host cannot read, with {@code spread} on two of
 * them, with {@code cuda} on a GPU.
 */
final class EndToEnd implements AutoCloseable {
  private static final int DIRECT_ROWS_MAX = 1 << 18;
  private static final AtomicInteger NAMES = new AtomicInteger();

  private final MemoryAccount before = MemoryAccount.current();
  private final StorageDirectory directory;
  final Device device;
  private final TransactionManager transactions;
  private final Catalog catalog;

  /** Plans with kernels, also for few rows. */
  final QueryEngine engine;

  /** Plans every text for itself, few rows for the host; for comparing answers. */
  final QueryEngine unshared;

  /** Plans plain texts from their words, and reads tables of a few tablets on the host. */
  final QueryEngine direct;

  /** Plans every query for the bridge; for comparing answers. */
  final QueryEngine bridge;

  EndToEnd() {
    this(new VolatileDirectory("end-to-end-" + NAMES.incrementAndGet()));
  }

  EndToEnd(StorageDirectory directory) {
    this(directory, EmulatedOptions.standard());
  }

  EndToEnd(StorageDirectory directory, EmulatedOptions options) {
    this(directory, options, TxnOptions.standard());
  }

  EndToEnd(StorageDirectory directory, EmulatedOptions options, TxnOptions txnOptions) {
    this(directory, device(new EmulatedDevice(options)), txnOptions);
  }

  /** On a device whose memory is the host's, whatever the others are on. */
  static EndToEnd emulated(EmulatedOptions options) {
    return new EndToEnd(
        new VolatileDirectory("end-to-end-" + NAMES.incrementAndGet()),
        new EmulatedDevice(options),
        TxnOptions.standard());
  }

  private static Device device(Device emulated) {
    return switch (System.getProperty("gpdb.device", "emulated")) {
      case "emulated" -> emulated;
      case "far" -> new FarDevice(emulated);
      case "spread" -> spread(emulated);
      case "cuda" -> CudaDevice.open(0, emulated, 0L);
      case String other -> throw new IllegalArgumentException("gpdb.device=" + other);
    };
  }

  private static Device spread(Device emulated) {
    FarMachine machine = new FarMachine();
    return new SpreadDevice(
        List.of(
            new FarDevice(emulated, machine),
            new FarDevice(new EmulatedDevice(EmulatedOptions.standard()), machine)));
  }

  EndToEnd(StorageDirectory directory, Device device, TxnOptions txnOptions) {
    this.directory = directory;
    this.device = device;
    transactions = TransactionManager.open(directory, device, txnOptions);
    catalog = Catalog.open(transactions);
    engine =
        new QueryEngine(transactions, catalog, device, EngineOptions.standard().withHostRows(0));
    unshared =
        new QueryEngine(
            transactions,
            catalog,
            device,
            EngineOptions.standard().withSharedPlans(false).withAutoVacuum(false));
    direct =
        new QueryEngine(
            transactions,
            catalog,
            device,
            EngineOptions.standard().withAutoVacuum(false).withHostRows(DIRECT_ROWS_MAX));
    bridge =
        new QueryEngine(
            transactions, catalog, device, EngineOptions.standard(), new BridgedTrees());
  }

  /** Statements work with the database's memory, which is that of its device. */
  Transaction begin() {
    work();
    return transactions.begin();
  }

  private void work() {
    MemoryAccount all = transactions.workMemory();
    // A device that leaves statements to the host is told which is one.
    (device.hostRows() == 0 ? all : all.statement("a test's")).bind();
  }

  TransactionManager transactions() {
    return transactions;
  }

  /** Runs the work in a transaction of its own: committed, or rolled back when it fails. */
  <T> T inTransaction(Function<Transaction, T> work) {
    Transaction tx = begin();
    try {
      T result = work.apply(tx);
      tx.commit();
      return result;
    } catch (RuntimeException | Error e) {
      tx.rollback();
      throw e;
    }
  }

  CatalogSnapshot catalogSnapshot() {
    return inTransaction(catalog::snapshot);
  }

  /** The rows of a query after a change with those parameters, which is then undone. */
  List<String> rowsAfter(String change, String query, @Nullable Object... parameters) {
    Transaction tx = begin();
    try {
      run(tx, change, parameters);
      return rows(tx, query);
    } finally {
      tx.rollback();
    }
  }

  /** Runs statements one after another, each in its own transaction. */
  void script(String... statements) {
    for (String sql : statements) {
      run(sql);
    }
  }

  /** Runs a change; the number of rows changed. */
  long run(String sql, @Nullable Object... parameters) {
    return inTransaction(tx -> run(tx, sql, parameters));
  }

  long run(Transaction tx, String sql, @Nullable Object... parameters) {
    work();
    Prepared prepared = engine.prepare(sql, tx);
    return switch (prepared.execute(tx, bound(prepared, parameters))) {
      case Result.UpdateCount count -> count.rows();
      case Result.Keyed keyed -> keyed.count();
      case Result.Rows rows -> {
        rows.rows().close();
        throw new AssertionError("gives rows: " + sql);
      }
    };
  }

  /** Runs a change for each row of parameters. */
  long[] batch(String sql, List<@Nullable Object[]> rows) {
    return inTransaction(tx -> batch(tx, sql, rows));
  }

  long[] batch(Transaction tx, String sql, List<@Nullable Object[]> rows) {
    work();
    Prepared prepared = engine.prepare(sql, tx);
    ParameterColumns columns = new ParameterColumns(prepared.parameters());
    for (Object[] row : rows) {
      bind(columns, row);
      columns.addRow();
    }
    return prepared.executeBatch(tx, columns);
  }

  /** The rows of a query, values joined by '|'. */
  List<String> rows(String sql, @Nullable Object... parameters) {
    return inTransaction(tx -> rows(engine, tx, sql, parameters));
  }

  /** The rows of a query, in the order of their text. */
  List<String> sortedRows(String sql) {
    return rows(sql).stream().sorted().toList();
  }

  /** The lines of a query's EXPLAIN. */
  String plan(String sql) {
    return plan(engine, sql);
  }

  String plan(QueryEngine of, String sql) {
    List<String> lines = inTransaction(tx -> rows(of, tx, "EXPLAIN " + sql));
    return String.join("\n", lines);
  }

  List<String> bridgeRows(String sql, @Nullable Object... parameters) {
    return inTransaction(tx -> rows(bridge, tx, sql, parameters));
  }

  List<String> rows(Transaction tx, String sql, @Nullable Object... parameters) {
    work();
    return rows(engine, tx, sql, parameters);
  }

  static List<String> rows(
      QueryEngine engine, Transaction tx, String sql, @Nullable Object... parameters) {
    return table(engine, tx, sql, parameters).stream().map(row -> String.join("|", row)).toList();
  }

  /** The rows of a query, each value as text. */
  static List<List<String>> table(
      QueryEngine engine, Transaction tx, String sql, @Nullable Object... parameters) {
    Prepared prepared = engine.prepare(sql, tx);
    ParameterColumns values = new ParameterColumns(prepared.parameters());
    bind(values, parameters);
    values.take();
    List<ParameterFit> fits = values.fits(values.rows());
    if (!fits.isEmpty()) {
      prepared = engine.prepare(sql, tx, null, fits);
    }
    Result result = prepared.execute(tx, values.current());
    if (!(result instanceof Result.Rows rows)) {
      throw new AssertionError("gives no rows: " + sql);
    }
    List<List<String>> table = new ArrayList<>();
    try (RowSet set = rows.rows()) {
      List<OutputColumn> columns = prepared.columns();
      while (set.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
          row.add(set.isNull(i) ? "NULL" : text(set, i, columns.get(i).type()));
        }
        table.add(row);
      }
    }
    return table;
  }

  /** The error that a statement must raise. */
  GpdbException error(String sql, @Nullable Object... parameters) {
    try {
      Transaction tx = begin();
      try {
        Prepared prepared = engine.prepare(sql, tx);
        if (prepared.execute(tx, bound(prepared, parameters)) instanceof Result.Rows rows) {
          try (RowSet set = rows.rows()) {
            while (set.next()) {
              // Errors may come with any row.
            }
          }
        }
      } finally {
        tx.rollback();
      }
    } catch (GpdbException e) {
      return e;
    }
    throw new AssertionError("should have failed: " + sql);
  }

  String state(String sql, @Nullable Object... parameters) {
    return error(sql, parameters).code().sqlState();
  }

  static ParameterValues bound(Prepared prepared, @Nullable Object... parameters) {
    ParameterColumns columns = new ParameterColumns(prepared.parameters());
    bind(columns, parameters);
    return columns.current();
  }

  private static void bind(ParameterColumns columns, @Nullable Object... parameters) {
    for (int i = 0; i < parameters.length; i++) {
      bind(columns, i, parameters[i]);
    }
  }

  static void bind(ParameterColumns columns, int index, @Nullable Object parameter) {
    switch (parameter) {
      case null -> columns.setNull(index);
      case Boolean value -> columns.setBoolean(index, value);
      case Float value -> columns.setFloat(index, value);
      case Double value -> columns.setDouble(index, value);
      case BigDecimal value -> columns.setDecimal(index, value);
      case Number value -> columns.setLong(index, value.longValue());
      case String value -> columns.setString(index, value);
      case byte[] value -> columns.setBytes(index, value, 0, value.length);
      default -> throw new AssertionError("parameter of " + parameter.getClass());
    }
  }

  private static String text(RowSet set, int column, SqlTypeSpec type) {
    long raw = type.kind().isString() ? 0 : set.raw(column);
    return switch (type.kind()) {
      case BOOLEAN -> raw == 0 ? "FALSE" : "TRUE";
      case TINYINT, SMALLINT, INTEGER, BIGINT -> Long.toString(raw);
      case REAL -> Float.toString(Float.intBitsToFloat((int) raw));
      case DOUBLE -> Double.toString(Double.longBitsToDouble(raw));
      case WIDE_DECIMAL -> WideDecimal.number(set.bytes(column), type.scale()).toPlainString();
      case DECIMAL -> BigDecimal.valueOf(raw, type.scale()).toPlainString();
      case DATE -> TemporalText.formatDate((int) raw);
      case TIME -> TemporalText.formatTime(raw);
      case TIMESTAMP -> TemporalText.formatTimestamp(raw);
      case CHAR, VARCHAR -> set.string(column);
      case TIMESTAMP_TZ -> InstantText.format(raw);
      case INTERVAL_MONTHS, INTERVAL_MICROS -> IntervalType.of(type).format(raw);
      case UUID -> UuidText.format(set.bytes(column));
      case VARBINARY -> HexFormat.of().formatHex(set.bytes(column));
    };
  }

  /** Makes the database as if its process had ended without closing it. */
  void abandon() {
    before.bind();
    transactions.abandon();
    device.close();
  }

  @Override
  public void close() {
    before.bind();
    try (directory;
        device) {
      transactions.close();
    }
  }
}
