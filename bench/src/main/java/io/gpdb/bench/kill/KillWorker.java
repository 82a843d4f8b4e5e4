package io.gpdb.bench.kill;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Carries out one worker's transactions on one connection, in the order of their numbers, until the
 * parent ends it. A conflict with another worker repeats the transaction; anything else that fails
 * ends the child.
 */
final class KillWorker {
  static final String CONFLICT = "40001";
  private static final String DUPLICATE_KEY = "23505";

  private final Connection connection;
  private final Ledger ledger;
  private final long seed;
  private final int worker;
  private final Runnable besideFill;
  private final Map<String, PreparedStatement> prepared = new HashMap<>();
  private boolean extraExists;
  private boolean reshaped;
  private boolean filled;
  private long structured;

  KillWorker(Connection connection, Ledger ledger, long seed, int worker) {
    this(connection, ledger, seed, worker, () -> {});
  }

  /**
   * @param besideFill called right before a transaction commits that has filled an empty table
   */
  KillWorker(Connection connection, Ledger ledger, long seed, int worker, Runnable besideFill) {
    this.connection = connection;
    this.ledger = ledger;
    this.seed = seed;
    this.worker = worker;
    this.besideFill = besideFill;
  }

  /** Finds out which transactions of this worker the database holds, and goes on behind them. */
  void resume() throws SQLException {
    long found = progress();
    long acknowledged = ledger.acknowledged(worker);
    if (found < acknowledged || found > ledger.begun(worker)) {
      throw new IllegalStateException(
          "worker %d: transaction %d is the last found, %d the last acknowledged, %d the last begun"
              .formatted(worker, found, acknowledged, ledger.begun(worker)));
    }
    ledger.settle(worker, found);
    try (ResultSet tables =
        connection
            .getMetaData()
            .getTables(
                null, null, KillWorkload.extraTable(worker).toUpperCase(Locale.ROOT), null)) {
      extraExists = tables.next();
    }
    try (ResultSet columns =
        connection
            .getMetaData()
            .getColumns(
                null, null, null, KillWorkload.extraColumn(worker).toUpperCase(Locale.ROOT))) {
      reshaped = columns.next();
    }
    for (long n = 1; n <= found; n++) {
      note(Work.of(seed, worker, n));
    }
    connection.setAutoCommit(false);
  }

  private void note(Work committed) {
    filled ^= committed instanceof Work.Fill;
    structured += committed instanceof Work.Structure ? 1 : 0;
  }

  private long progress() throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT n FROM progress WHERE worker = " + worker)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Until the parent ends it, or until transaction {@code last} is done. */
  void run(long last) throws SQLException {
    long n = ledger.acknowledged(worker) + 1;
    while (n <= last && !ledger.mustEnd()) {
      Work work = Work.of(seed, worker, n);
      ledger.begin(worker, n);
      if (attempt(work, n)) {
        ledger.acknowledge(worker, n);
        extraExists ^= work instanceof Work.Toggle;
        reshaped = extraExists && (reshaped ^ (work instanceof Work.Reshape));
        note(work);
        n++;
      }
    }
  }

  /** Whether the transaction was committed; it was rolled back otherwise. */
  private boolean attempt(Work work, long n) throws SQLException {
    try {
      if (work instanceof Work.Tick) {
        connection.setAutoCommit(true);
        advanceProgress(n);
        connection.setAutoCommit(false);
        return true;
      }
      SplittableRandom noise = Work.noise(seed, worker, n);
      if (noise.nextInt(10) == 0) {
        perform(work, n);
        connection.rollback();
      }
      if (noise.nextInt(8) == 0) {
        Savepoint before = connection.setSavepoint();
        perform(new Work.Touch(noise.nextInt(Work.SLOTS), -7), n);
        perform(new Work.Rewrite(noise.nextInt(Work.SLOTS), 20), n);
        connection.rollback(before);
      }
      if (noise.nextInt(12) == 0) {
        insertDuplicate();
      }
      perform(work, n);
      advanceProgress(n);
      connection.commit();
      return true;
    } catch (SQLException e) {
      if (!CONFLICT.equals(e.getSQLState())) {
        throw e;
      }
      for (PreparedStatement statement : prepared.values()) {
        statement.clearBatch(); // of a statement whose turn did not come
      }
      if (connection.getAutoCommit()) {
        connection.setAutoCommit(false);
      } else {
        connection.rollback();
      }
      return false;
    }
  }

  private void advanceProgress(long n) throws SQLException {
    PreparedStatement update = prepare("UPDATE progress SET n = ? WHERE worker = ?");
    update.setLong(1, n);
    update.setInt(2, worker);
    requireRows(1, update.executeUpdate());
  }

  private void perform(Work work, long n) throws SQLException {
    switch (work) {
      case Work.Tick() -> {}
      case Work.Transfers transfers -> transfer(transfers, n);
      case Work.Rewrite rewrite -> rewrite(rewrite, n);
      case Work.Touch(int slot, long added) -> touch(slot, added);
      case Work.Rename rename -> rename(rename, n);
      case Work.Widen() -> widen();
      case Work.Toggle() -> toggle(n);
      case Work.Reshape() -> reshape(n);
      case Work.Fill(int rows) -> fill(rows, n);
      case Work.Structure() -> {
        try (Statement statement = connection.createStatement()) {
          Structures.step(statement, worker, structured);
        }
      }
    }
  }

  private void transfer(Work.Transfers work, long n) throws SQLException {
    PreparedStatement move = prepare("UPDATE accounts SET balance = balance + ? WHERE id = ?");
    PreparedStatement journal = prepare("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?)");
    int part = 0;
    for (Work.Transfer transfer : work.transfers()) {
      journal.setInt(1, worker);
      journal.setLong(2, n);
      journal.setInt(3, part++);
      journal.setInt(4, transfer.source());
      journal.setInt(5, transfer.target());
      journal.setLong(6, transfer.amount());
      run(journal, work.batch());
      run(bind(move, -transfer.amount(), transfer.source()), work.batch());
      run(bind(move, transfer.amount(), transfer.target()), work.batch());
    }
    if (work.batch()) {
      journal.executeBatch();
      move.executeBatch();
    }
  }

  private static PreparedStatement bind(PreparedStatement statement, long first, long second)
      throws SQLException {
    statement.setLong(1, first);
    statement.setLong(2, second);
    return statement;
  }

  private static void run(PreparedStatement statement, boolean batch) throws SQLException {
    if (batch) {
      statement.addBatch();
    } else {
      requireRows(1, statement.executeUpdate());
    }
  }

  private void rewrite(Work.Rewrite work, long n) throws SQLException {
    bind(prepare("DELETE FROM items WHERE worker = ? AND slot = ?"), worker, work.slot())
        .executeUpdate();
    PreparedStatement insert =
        prepare(
            "INSERT INTO items (id, worker, slot, v, note, price, ratio)"
                + " VALUES (?, ?, ?, ?, ?, ?, ?)");
    for (int row = 0; row < work.rows(); row++) {
      WorkerModel.Item item = WorkerModel.freshItem(worker, n, row);
      insert.setLong(1, WorkerModel.itemId(worker, work.slot(), row));
      insert.setInt(2, worker);
      insert.setInt(3, work.slot());
      insert.setLong(4, item.v());
      insert.setString(5, item.note());
      insert.setBigDecimal(6, item.price());
      insert.setDouble(7, item.ratio());
      insert.addBatch();
    }
    insert.executeBatch();
  }

  private void touch(int slot, long added) throws SQLException {
    PreparedStatement update = prepare("UPDATE items SET v = v + ? WHERE worker = ? AND slot = ?");
    update.setInt(3, slot);
    bind(update, added, worker).executeUpdate();
  }

  private void rename(Work.Rename work, long n) throws SQLException {
    PreparedStatement update = prepare("UPDATE items SET note = ? WHERE id = ?");
    for (int row = 0; row < work.rows(); row++) {
      if (WorkerModel.freshItem(worker, n, row).note() != null) {
        update.setString(1, WorkerModel.note(worker, n, row));
        update.setLong(2, WorkerModel.itemId(worker, work.slot(), row));
        update.addBatch();
      }
    }
    update.executeBatch();
  }

  private void widen() throws SQLException {
    PreparedStatement update = prepare("UPDATE wide SET v = v + 1 WHERE worker = ?");
    update.setInt(1, worker);
    requireRows(WorkerModel.WIDE_ROWS, update.executeUpdate());
  }

  private void toggle(long n) throws SQLException {
    String table = KillWorkload.extraTable(worker);
    try (Statement statement = connection.createStatement()) {
      if (extraExists) {
        statement.execute("DROP TABLE " + table);
        return;
      }
      statement.execute(
          "CREATE TABLE "
              + table
              + " (id INTEGER PRIMARY KEY, n BIGINT,"
              + " parent INTEGER DEFAULT 0 REFERENCES "
              + table
              + " ON DELETE CASCADE)");
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO " + table + " (id, n) VALUES (?, ?)")) {
        for (int row = 0; row < WorkerModel.EXTRA_ROWS; row++) {
          bind(insert, row, n).addBatch();
        }
        insert.executeBatch();
      }
    }
  }

  private void reshape(long n) throws SQLException {
    if (!extraExists) {
      return;
    }
    String table = KillWorkload.extraTable(worker);
    String column = KillWorkload.extraColumn(worker);
    try (Statement statement = connection.createStatement()) {
      if (reshaped) {
        statement.execute("ALTER TABLE " + table + " DROP COLUMN " + column);
        return;
      }
      statement.execute(
          "ALTER TABLE " + table + " ADD COLUMN " + column + " BIGINT DEFAULT " + n + " NOT NULL");
      statement.execute("CREATE INDEX ON " + table + " (" + column + ")");
      statement.execute("UPDATE " + table + " SET " + column + " = -n WHERE id < 10");
    }
  }

  private void fill(int rows, long n) throws SQLException {
    String table = KillWorkload.chunkTable(worker);
    if (filled) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("TRUNCATE TABLE " + table);
      }
      return;
    }
    PreparedStatement insert = prepare("INSERT INTO " + table + " (n, id, note) VALUES (?, ?, ?)");
    for (int row = 0; row < rows; row++) {
      insert.setString(3, WorkerModel.note(worker, n, row));
      bind(insert, n, row).addBatch();
    }
    insert.executeBatch();
    besideFill.run();
  }

  /** A statement that fails leaves nothing, and the transaction goes on. */
  private void insertDuplicate() throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate(
          "INSERT INTO accounts VALUES (%d, 'nobody', 1), (%d, 'nobody', 1)"
              .formatted(Work.ACCOUNTS + worker, worker));
    } catch (SQLException e) {
      if (DUPLICATE_KEY.equals(e.getSQLState())) {
        return;
      }
      throw e;
    }
    throw new IllegalStateException("an account was inserted a second time");
  }

  private PreparedStatement prepare(String sql) throws SQLException {
    PreparedStatement known = prepared.get(sql);
    if (known == null) {
      known = connection.prepareStatement(sql);
      prepared.put(sql, known);
    }
    return known;
  }

  private static void requireRows(int wanted, int found) {
    if (found != wanted) {
      throw new IllegalStateException("a statement changed " + found + " rows, not " + wanted);
    }
  }
}
