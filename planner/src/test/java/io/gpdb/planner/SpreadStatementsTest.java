package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.cuda.AnnouncingDevice;
import io.gpdb.exec.cuda.GpuTests;
import io.gpdb.exec.spread.SpreadDevice;
import io.gpdb.simulation.far.FarDevice;
import io.gpdb.simulation.far.FarMachine;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.Protocol;
import io.gpdb.txn.api.TxnOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Statements over tablets in the memories of several devices do as on one. */
class SpreadStatementsTest extends OtherDeviceContract {
  /** Of three tablets. */
  private static final int ROWS = 2 * 65_536 + 1000;

  private static final String FILL =
      "INSERT INTO w SELECT i, MOD(i * 7919, 100003), CASE WHEN MOD(i, 13) = 0 THEN NULL ELSE i * 3"
          + " END, MOD(i, 1000) * 0.37e0, 's' || CAST(MOD(i, 500) AS VARCHAR(10)) FROM"
          + " generate_series(0, "
          + (ROWS - 1)
          + ") AS g(i)";

  private static final List<String> QUERIES =
      List.of(
          "SELECT count(*), sum(a), min(b), max(b), sum(f), avg(f), count(s) FROM w WHERE a <"
              + " 70000",
          "SELECT count(*), sum(f) FROM w WHERE s LIKE '%7' AND k > 60000",
          "SELECT k, a + b FROM w WHERE MOD(a, 9973) = 5 AND b IS NOT NULL",
          "SELECT MOD(k, 7), count(*), sum(f), min(a) FROM w GROUP BY MOD(k, 7) ORDER BY 1",
          "SELECT s, count(*), sum(b) FROM w GROUP BY s ORDER BY s LIMIT 20",
          "SELECT count(*), sum(n), sum(t) FROM (SELECT a, count(*) AS n, sum(f) AS t FROM w GROUP"
              + " BY a) AS x",
          "SELECT count(DISTINCT a), count(DISTINCT s) FROM w",
          "SELECT k, a FROM w ORDER BY a DESC, k LIMIT 12",
          "SELECT k, f FROM w WHERE a < 900 ORDER BY f, k",
          "SELECT count(*), sum(w.f), sum(v.a) FROM w JOIN w AS v ON w.a = v.k",
          "SELECT count(*), sum(v.f) FROM w LEFT JOIN w AS v ON w.k = v.a AND v.b > 1000",
          "SELECT k FROM w WHERE k IN (SELECT a FROM w WHERE b < 50) ORDER BY k",
          "SELECT k, SUM(f) OVER (PARTITION BY s ORDER BY k) FROM w WHERE a < 2000 ORDER BY k",
          "SELECT * FROM w WHERE k = 131079");

  /** Of all rows and columns. */
  private static final List<String> SUMS =
      List.of(
          "SELECT count(*), sum(k), sum(a), sum(b), sum(f), min(s), max(s), count(b) FROM w",
          "SELECT s, count(*), sum(a), sum(f) FROM w GROUP BY s ORDER BY s LIMIT 50");

  private static final List<String> CHANGES =
      List.of(
          "UPDATE w SET f = f + 1, b = a WHERE MOD(k, 3) = 0",
          "UPDATE w SET s = 'x' || s WHERE a < 20000",
          "DELETE FROM w WHERE MOD(a, 11) = 4",
          "INSERT INTO w SELECT k + 1000000, a, b, f, s FROM w WHERE MOD(k, 5) = 1",
          "UPDATE w SET a = a + 1 WHERE k = 131072");

  @Override
  protected Device open() {
    return spread(3);
  }

  private static Device spread(int members) {
    FarMachine machine = new FarMachine();
    return new SpreadDevice(
        IntStream.range(0, members).mapToObj(i -> new FarDevice(emulated(), machine)).toList());
  }

  /** Two stubs of GPUs, three far devices, and two GPUs where there are. */
  private static List<Device> devices() {
    List<Device> devices = new ArrayList<>();
    devices.add(new SpreadDevice(AnnouncingDevice.linked(2, 0)));
    devices.add(spread(3));
    if (Boolean.getBoolean(GpuTests.LINKED)) {
      devices.add(GpuTests.openLinked());
    }
    return devices;
  }

  private static EndToEnd filled(StorageDirectory directory, Device device, Protocol protocol) {
    EndToEnd database = new EndToEnd(directory, device, TxnOptions.standard());
    database.run("CREATE TABLE w (k INT PRIMARY KEY, a INT, b BIGINT, f DOUBLE, s VARCHAR(20))");
    change(database, FILL, protocol);
    return database;
  }

  private static void change(EndToEnd database, String sql, Protocol protocol) {
    Transaction tx = database.begin();
    tx.protocol(protocol);
    database.run(tx, sql);
    tx.commit();
  }

  private static List<List<String>> answers(EndToEnd database, List<String> queries) {
    return queries.stream().map(database::rows).toList();
  }

  private static void compare(EndToEnd found, List<String> queries, List<List<String>> expected) {
    for (int i = 0; i < queries.size(); i++) {
      String sql = queries.get(i);
      assertThat(found.rows(sql)).as(sql).isNotEmpty().isEqualTo(expected.get(i));
    }
  }

  @Test
  void tabletsOfTwoAndThreeDevicesAreQueriedAndChangedAsThoseOfOne() {
    List<List<String>> before;
    List<List<String>> after;
    List<String> all;
    try (EndToEnd one = filled(new VolatileDirectory("one"), emulated(), Protocol.REDO)) {
      before = answers(one, QUERIES);
      CHANGES.forEach(sql -> change(one, sql, Protocol.REDO));
      after = answers(one, QUERIES);
      all = one.rows("SELECT * FROM w ORDER BY k");
    }
    for (Device device : devices()) {
      try (EndToEnd several = filled(new VolatileDirectory("several"), device, Protocol.REDO)) {
        compare(several, QUERIES, before);
        CHANGES.forEach(sql -> change(several, sql, Protocol.REDO));
        compare(several, QUERIES, after);
        assertThat(several.rows("SELECT * FROM w ORDER BY k")).isEqualTo(all);
      }
    }
  }

  /** Also with another number of devices than wrote them. */
  @Test
  void tabletsOfSeveralDevicesAreRecoveredAndReadFromACheckpoint(@TempDir Path folder) {
    List<List<String>> changed;
    List<List<String>> changedAgain;
    try (EndToEnd one = filled(new VolatileDirectory("one"), emulated(), Protocol.REDO)) {
      CHANGES.forEach(sql -> change(one, sql, Protocol.REDO));
      changed = answers(one, SUMS);
      change(one, CHANGES.getFirst(), Protocol.REDO);
      changedAgain = answers(one, SUMS);
    }
    for (Protocol protocol : List.of(Protocol.REDO, Protocol.UNDO, Protocol.VERSIONED)) {
      try (StorageDirectory files = FileDirectory.open(folder.resolve(protocol.name()), true)) {
        EndToEnd written = filled(files, spread(2), protocol);
        CHANGES.forEach(sql -> change(written, sql, protocol));
        written.abandon();
        EndToEnd recovered = new EndToEnd(files, spread(3), TxnOptions.standard());
        compare(recovered, SUMS, changed);
        recovered.transactions().checkpoint();
        recovered.abandon();
        EndToEnd opened = new EndToEnd(files, spread(2), TxnOptions.standard());
        compare(opened, SUMS, changed);
        change(opened, CHANGES.getFirst(), protocol);
        compare(opened, SUMS, changedAgain);
        opened.abandon();
      }
    }
  }
}
