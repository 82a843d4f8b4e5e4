package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.exec.Device;
import io.gpdb.exec.cuda.AnnouncingDevice;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.simulation.far.FarDevice;
import io.gpdb.storage.medium.VolatileDirectory;
import io.gpdb.txn.Transaction;
import io.gpdb.txn.api.RowBlock;
import io.gpdb.txn.api.TableReader;
import io.gpdb.txn.api.TxnOptions;
import java.util.Random;
import java.util.function.Supplier;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Rows that are read together read as each of them alone, whoever has changed which. */
class RowBlockTest {
  private static final int ROWS = 2 * 65_536 + 100;
  private static final int[] COLUMNS = {0, 1, 2, 3, 4};

  private enum Place {
    EMULATED(() -> new EmulatedDevice(EmulatedOptions.standard())),
    FAR(() -> new FarDevice(new EmulatedDevice(EmulatedOptions.standard()))),
    STUBBED_GPU(AnnouncingDevice::new);

    private final Supplier<Device> device;

    Place(Supplier<Device> device) {
      this.device = device;
    }
  }

  @ParameterizedTest
  @EnumSource
  void manyRowsReadAsEachAlone(Place place) {
    long seed = Long.getLong("gpdb.seed", 20261127L);
    Random random = new Random(seed);
    Device device = place.device.get(); // closed with the database
    try (EndToEnd db =
        new EndToEnd(new VolatileDirectory("block"), device, TxnOptions.standard())) {
      db.run("CREATE TABLE t (id INT, s SMALLINT, b BIGINT, f DOUBLE, n INT)");
      db.run(
          "INSERT INTO t SELECT CAST(v AS INT), CAST(MOD(v, 1000) - 500 AS SMALLINT), v * -7,"
              + " v / 3e0, CASE WHEN v > 70000 AND MOD(v, 3) = 0 THEN NULL ELSE CAST(v AS INT) END"
              + " FROM TABLE(GENERATE_SERIES(0, "
              + (ROWS - 1)
              + ")) AS s(v)");
      check(db, db.begin(), random);
      db.run("DELETE FROM t WHERE id > 65535 AND MOD(id, 5) = 0");
      Transaction old = db.begin();
      check(db, old, random);
      db.run("UPDATE t SET b = b + 1, n = NULL WHERE MOD(id, 4) = 1");
      db.run("DELETE FROM t WHERE id < 1000");
      Transaction writer = db.begin();
      db.run(writer, "UPDATE t SET f = -f, s = NULL WHERE MOD(id, 9) = 2");
      db.run(writer, "DELETE FROM t WHERE MOD(id, 11) = 3");
      db.run(writer, "INSERT INTO t VALUES (1, 2, 3, 4, NULL)");
      Transaction other = db.begin();
      for (Transaction tx : new Transaction[] {old, writer, other}) {
        check(db, tx, random);
      }
      writer.commit();
      check(db, old, random);
      check(db, other, random);
      check(db, db.begin(), random);
    }
  }

  private static void check(EndToEnd db, Transaction tx, Random random) {
    int table = db.catalogSnapshot().table("T").tableId();
    TableReader reader = tx.reader(table);
    for (int n : new int[] {0, 1, 31, 40, 3000}) {
      long[] rows = random.longs(n, -3, ROWS + 3L).toArray();
      RowBlock together = reader.read(rows, n, COLUMNS);
      long[] values = new long[COLUMNS.length];
      boolean[] nulls = new boolean[COLUMNS.length];
      long[] alone = new long[COLUMNS.length];
      boolean[] aloneNulls = new boolean[COLUMNS.length];
      for (int i = 0; i < n; i++) {
        boolean seen = reader.read(rows[i], COLUMNS, alone, aloneNulls);
        assertThat(together.read(i, values, nulls)).as("row %d of %d", rows[i], n).isEqualTo(seen);
        for (int c = 0; c < COLUMNS.length && seen; c++) {
          assertThat(nulls[c]).as("row %d, column %d", rows[i], c).isEqualTo(aloneNulls[c]);
          assertThat(values[c]).isEqualTo(aloneNulls[c] ? 0 : alone[c]);
        }
      }
    }
  }
}
