package io.gpdb.jdbc;

import io.gpdb.exec.Device;
import io.gpdb.exec.emulated.EmulatedDevice;
import io.gpdb.exec.emulated.EmulatedOptions;
import io.gpdb.session.database.Databases;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.function.Supplier;
import org.junit.jupiter.api.io.TempDir;

/** Tests of a database in files that is opened on one device after another. */
abstract class OnChangingDevices {
  @TempDir Path folder;

  static Device emulated() {
    return new EmulatedDevice(EmulatedOptions.standard());
  }

  final String url() {
    return "jdbc:gpdb:" + folder.resolve("db");
  }

  /** Asks for the device as a connection's SET does. */
  final void change(Supplier<Device> device) throws SQLException {
    try (Databases.Lease lease = Databases.acquire(JdbcUrl.parse(url(), null).databaseOptions())) {
      lease.database().changeDevice(device);
    }
  }

  /** Makes table t, of 3000 rows. */
  static void fill(Connection c) throws SQLException {
    TestDatabase.execute(c, "CREATE TABLE t (k INT PRIMARY KEY, a INT, f DOUBLE, s VARCHAR(20))");
    TestDatabase.execute(
        c,
        "INSERT INTO t SELECT i, MOD(i * 7, 400), i * 0.25, 'text ' || MOD(i, 9)"
            + " FROM GENERATE_SERIES(0, 2999) AS g(i)");
  }
}
