package io.gpdb.bench;

import io.gpdb.bench.harness.ChildJvm;
import io.gpdb.bench.harness.PaperTable;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/**
 * A process that carries out the INSERT or the UPDATE of the paper's workload and halts the JVM
 * after the statement and before its commit, so that the next open has to restore.
 */
public final class CrashChild {
  private static final int HALTED = 86;

  private CrashChild() {}

  /** Arguments: JDBC URL, rows, "insert" or "update". */
  public static void main(String[] arguments) throws SQLException {
    Connection connection = DriverManager.getConnection(arguments[0]);
    int rows = Integer.parseInt(arguments[1]);
    if (arguments[2].equals("insert")) {
      PaperTable.create(connection);
      connection.setAutoCommit(false);
      PreparedStatement insert = connection.prepareStatement(PaperTable.INSERT);
      PaperTable.fill(insert, 0, rows, InsertUpdateRun.SEED);
      insert.executeBatch();
    } else {
      connection.setAutoCommit(false);
      Statement update = connection.createStatement();
      update.executeUpdate(PaperTable.UPDATE_FIVE_PERCENT);
    }
    Runtime.getRuntime().halt(HALTED);
  }

  static void run(String url, int rows, String statement) throws IOException, InterruptedException {
    Process child =
        new ProcessBuilder(
                ChildJvm.shortLived(
                    List.of(), CrashChild.class, url, Integer.toString(rows), statement))
            .inheritIO()
            .start();
    int status = child.waitFor();
    if (status != HALTED) {
      throw new IOException(
          "the child that should crash before its commit ended with status " + status);
    }
  }
}
