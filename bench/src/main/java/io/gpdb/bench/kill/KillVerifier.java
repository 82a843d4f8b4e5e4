package io.gpdb.bench.kill;

import io.gpdb.jdbc.GpdbConnection;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** Holds the reopened database against the models of the workers. */
final class KillVerifier {
  private static final int PROBLEMS_MAX = 20;
  private static final int LOOK_UPS = 40;

  private final Connection connection;
  private final Ledger ledger;
  private final List<WorkerModel> models;
  private final long[] balances;
  private final SplittableRandom random;
  private final List<String> problems = new ArrayList<>();
  private int keptUnacknowledged;
  private int lostUnacknowledged;

  KillVerifier(
      Connection connection,
      Ledger ledger,
      List<WorkerModel> models,
      long[] balances,
      SplittableRandom random) {
    this.connection = connection;
    this.ledger = ledger;
    this.models = models;
    this.balances = balances;
    this.random = random;
  }

  /** Brings the models up to what was found; returns everything that is wrong, at most twenty. */
  List<String> problems() throws SQLException {
    connection.unwrap(GpdbConnection.class).check().forEach(this::problem);
    progress();
    if (problems.isEmpty()) {
      accounts();
      journal();
      wide();
      items();
      extraTables();
      chunks();
      HotRow.problems(connection, ledger).forEach(this::problem);
    }
    if (problems.isEmpty()) {
      structures();
    }
    return problems;
  }

  /** Transactions begun and not acknowledged that were found whole. */
  int keptUnacknowledged() {
    return keptUnacknowledged;
  }

  /** Transactions begun and not acknowledged of which nothing was found. */
  int lostUnacknowledged() {
    return lostUnacknowledged;
  }

  private void problem(String text) {
    if (problems.size() < PROBLEMS_MAX) {
      problems.add(text);
    }
  }

  private void require(@Nullable Object found, @Nullable Object wanted, String what) {
    if (!Objects.equals(found, wanted)) {
      problem(what + ": found " + found + ", wanted " + wanted);
    }
  }

  private interface Row {
    void take(ResultSet row) throws SQLException;
  }

  private void query(String sql, Row action) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        action.take(rows);
      }
    }
  }

  private void progress() throws SQLException {
    List<Integer> seen = new ArrayList<>();
    query(
        "SELECT worker, n FROM progress ORDER BY worker",
        row -> {
          seen.add(row.getInt(1));
          progress(row.getInt(1), row.getLong(2));
        });
    require(seen, List.of(0, 1, 2, 3), "workers in progress");
  }

  private void progress(int worker, long found) {
    long acknowledged = ledger.acknowledged(worker);
    long begun = ledger.begun(worker);
    if (found < acknowledged || found > begun) {
      problem(
          "worker %d: transaction %d is the last found, %d the last acknowledged, %d the last begun"
              .formatted(worker, found, acknowledged, begun));
      return;
    }
    if (begun > acknowledged) {
      if (found == begun) {
        keptUnacknowledged++;
      } else {
        lostUnacknowledged++;
      }
    }
    ledger.settle(worker, found);
    models.get(worker).advance(found, balances);
  }

  private void accounts() throws SQLException {
    int[] count = new int[1];
    query(
        "SELECT id, owner, balance FROM accounts",
        row -> {
          int id = row.getInt(1);
          count[0]++;
          require(row.getString(2), "owner " + id, "owner of account " + id);
          require(row.getLong(3), balances[id], "balance of account " + id);
        });
    require(count[0], Work.ACCOUNTS, "accounts");
    query(
        "SELECT sum(balance) FROM accounts",
        row ->
            require(
                row.getLong(1), Work.ACCOUNTS * KillWorkload.OPENING_BALANCE, "sum of balances"));
  }

  private void journal() throws SQLException {
    for (WorkerModel model : models) {
      int worker = models.indexOf(model);
      query(
          "SELECT count(*), coalesce(sum(amount), 0), coalesce(max(n), 0) FROM journal"
              + " WHERE worker = "
              + worker,
          row -> {
            require(row.getLong(1), model.journalRows(), "journal rows of worker " + worker);
            require(row.getLong(2), model.journalAmount(), "journal amount of worker " + worker);
            require(row.getLong(3) <= model.committed(), true, "journal's end, worker " + worker);
          });
    }
  }

  private void wide() throws SQLException {
    List<Integer> seen = new ArrayList<>();
    query(
        "SELECT worker, count(*), min(v), max(v) FROM wide GROUP BY worker ORDER BY worker",
        row -> {
          int worker = row.getInt(1);
          seen.add(worker);
          require(row.getInt(2), WorkerModel.WIDE_ROWS, "wide rows of worker " + worker);
          long widened = models.get(worker).widened();
          require(row.getLong(3), widened, "least wide value of worker " + worker);
          require(row.getLong(4), widened, "greatest wide value of worker " + worker);
        });
    require(seen, List.of(0, 1, 2, 3), "workers in wide");
  }

  private void items() throws SQLException {
    long[] wanted = new long[1];
    for (WorkerModel model : models) {
      for (int slot = 0; slot < Work.SLOTS; slot++) {
        wanted[0] += model.slotRows(slot);
      }
    }
    long[] found = new long[1];
    query(
        "SELECT id, worker, slot, v, note, price, ratio FROM items",
        row -> {
          found[0]++;
          item(row);
        });
    require(found[0], wanted[0], "items");
    query(
        "SELECT count(DISTINCT number) FROM items",
        row -> require(row.getLong(1), wanted[0], "different numbers of the sequence"));
    ordered();
    lookUps();
  }

  private void item(ResultSet row) throws SQLException {
    long id = row.getLong(1);
    int worker = row.getInt(2);
    int slot = row.getInt(3);
    int place = (int) (id % Work.SLOT_ROWS_MAX);
    if (id != WorkerModel.itemId(worker, slot, place)) {
      problem("item %d says worker %d, slot %d".formatted(id, worker, slot));
      return;
    }
    if (place >= models.get(worker).slotRows(slot)) {
      problem("item %d should not be there".formatted(id));
      return;
    }
    WorkerModel.Item item = models.get(worker).item(slot, place);
    require(row.getLong(4), item.v(), "v of item " + id);
    require(row.getString(5), item.note(), "note of item " + id);
    require(row.getBigDecimal(6), item.price(), "price of item " + id);
    require(row.getDouble(7), item.ratio(), "ratio of item " + id);
  }

  /** The ordered index has the rows of each slot, the most expensive first. */
  private void ordered() throws SQLException {
    for (int slot = 0; slot < Work.SLOTS; slot++) {
      int wanted = 0;
      for (WorkerModel model : models) {
        wanted += model.slotRows(slot);
      }
      int rows = wanted;
      String where = " FROM items WHERE slot = " + slot + " AND price >= 0";
      query("SELECT count(v)" + where, row -> require(row.getInt(1), rows, "items by price"));
      List<String> found = new ArrayList<>();
      List<String> scanned = new ArrayList<>();
      query(
          "SELECT price" + where + " ORDER BY price DESC LIMIT 3", r -> found.add(r.getString(1)));
      query(
          "SELECT price FROM items WHERE slot + 0 = " + slot + " ORDER BY price + 0 DESC LIMIT 3",
          row -> scanned.add(row.getString(1)));
      require(found, scanned, "greatest prices of slot " + slot);
    }
  }

  /** The indexes return the same answers as the scan. */
  private void lookUps() throws SQLException {
    try (PreparedStatement byId = connection.prepareStatement("SELECT v FROM items WHERE id = ?");
        PreparedStatement byNote =
            connection.prepareStatement("SELECT id FROM items WHERE note = ?")) {
      for (int i = 0; i < LOOK_UPS; i++) {
        int worker = random.nextInt(models.size());
        int slot = random.nextInt(Work.SLOTS);
        WorkerModel model = models.get(worker);
        int place = random.nextInt(model.slotRows(slot) + 2);
        boolean there = place < model.slotRows(slot);
        long id = WorkerModel.itemId(worker, slot, place);
        byId.setLong(1, id);
        requireOnly(byId, there ? model.item(slot, place).v() : null, "look-up of item " + id);
        String note = there ? model.item(slot, place).note() : "no such note";
        if (note != null) {
          byNote.setString(1, note);
          requireOnly(byNote, there ? id : null, "look-up of note " + note);
        }
      }
    }
  }

  private void requireOnly(PreparedStatement select, @Nullable Long wanted, String what)
      throws SQLException {
    try (ResultSet rows = select.executeQuery()) {
      Long found = rows.next() ? rows.getLong(1) : null;
      if (!Objects.equals(found, wanted) || rows.next()) {
        problem(what + ": found " + found + ", wanted " + wanted);
      }
    }
  }

  private void extraTables() throws SQLException {
    for (WorkerModel model : models) {
      int worker = models.indexOf(model);
      String table = KillWorkload.extraTable(worker);
      boolean there;
      try (ResultSet tables =
          connection.getMetaData().getTables(null, null, table.toUpperCase(Locale.ROOT), null)) {
        there = tables.next();
      }
      require(there, model.extraBorn() != 0, "table " + table);
      if (there) {
        query(
            "SELECT count(*), min(n), max(n), count(DISTINCT id) FROM " + table,
            row -> {
              require(row.getInt(1), WorkerModel.EXTRA_ROWS, "rows of " + table);
              require(row.getLong(2), model.extraBorn(), "least n of " + table);
              require(row.getLong(3), model.extraBorn(), "greatest n of " + table);
              require(row.getInt(4), WorkerModel.EXTRA_ROWS, "keys of " + table);
            });
        reshaped(table, worker, model);
      }
    }
  }

  private void chunks() throws SQLException {
    for (WorkerModel model : models) {
      String table = KillWorkload.chunkTable(models.indexOf(model));
      long rows = model.chunkRows();
      query(
          "SELECT count(*), min(n), max(n), count(DISTINCT note), max(id) FROM " + table,
          row -> {
            require(row.getLong(1), rows, "rows of " + table);
            require(row.getLong(4), rows, "notes of " + table);
            if (rows > 0) {
              require(row.getLong(2), model.chunkBorn(), "least n of " + table);
              require(row.getLong(3), model.chunkBorn(), "greatest n of " + table);
              require(row.getLong(5), rows - 1, "greatest key of " + table);
            }
          });
    }
  }

  private void structures() throws SQLException {
    for (WorkerModel model : models) {
      Structures.problems(connection, models.indexOf(model), model.structured())
          .forEach(this::problem);
    }
  }

  private void reshaped(String table, int worker, WorkerModel model) throws SQLException {
    String column = KillWorkload.extraColumn(worker);
    boolean there;
    try (ResultSet columns =
        connection.getMetaData().getColumns(null, null, null, column.toUpperCase(Locale.ROOT))) {
      there = columns.next();
    }
    require(there, model.reshaped() != 0, "column " + column);
    if (there) {
      long n = model.reshaped();
      query(
          "SELECT count(*) FROM " + table + " WHERE " + column + " = " + n,
          row -> require(row.getInt(1), WorkerModel.EXTRA_ROWS - 10, "defaults of " + column));
      query(
          "SELECT count(*) FROM " + table + " WHERE " + column + " = " + -model.extraBorn(),
          row -> require(row.getInt(1), 10, "changed values of " + column));
    }
  }
}
