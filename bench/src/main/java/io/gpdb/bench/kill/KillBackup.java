package io.gpdb.bench.kill;

import io.gpdb.bench.harness.ScratchDirectory;
import io.gpdb.jdbc.GpdbConnection;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Backups of the database that is killed: the child writes them one after the other, each next to
 * the one before, which it replaces when it is complete. What a kill leaves of the two is whole, or
 * is refused as a backup that was cut short.
 */
final class KillBackup {
  private static final String CUT_SHORT = "cut short";

  private final Path complete;
  private final Path next;
  private final Path discarded;

  KillBackup(Path folder) {
    complete = folder.resolve("backup");
    next = folder.resolve("backup.next");
    discarded = folder.resolve("backup.discarded");
  }

  /** Writes a backup in the place of the last one. */
  void write(Statement statement) throws SQLException, IOException {
    discard(next);
    statement.execute("BACKUP TO '" + next + "'");
    discard(complete);
    Files.move(next, complete);
  }

  /** First under another name, so that a kill leaves no half of it under its own. */
  private void discard(Path backup) throws IOException {
    ScratchDirectory.delete(discarded);
    if (Files.exists(backup)) {
      Files.move(backup, discarded);
      ScratchDirectory.delete(discarded);
    }
  }

  /** How many are there, complete or not. */
  int count() {
    return (isThere(complete) ? 1 : 0) + (isThere(next) ? 1 : 0);
  }

  /**
   * What is wrong with the backups that are there.
   *
   * @param progress the last transaction of each worker that the database itself holds
   */
  List<String> problems(long[] progress) throws IOException {
    List<String> problems = new ArrayList<>();
    for (Path backup : List.of(complete, next)) {
      if (isThere(backup)) {
        String url = "jdbc:gpdb:" + backup + ";create=false";
        try (Connection connection = DriverManager.getConnection(url)) {
          check(connection, progress, problems);
        } catch (SQLException e) {
          boolean unfinished = String.valueOf(e.getMessage()).contains(CUT_SHORT);
          if (backup.equals(complete) || !unfinished) {
            problems.add("backup %s: %s".formatted(backup, e.getMessage()));
          }
        }
      }
      if (problems.isEmpty()) {
        discard(backup);
      }
    }
    return problems;
  }

  /** A directory in which nothing was written yet is no backup. */
  private static boolean isThere(Path backup) {
    return Files.exists(backup.resolve("home.gpdb"))
        || Files.exists(backup.resolve("home.gpdb.backup"));
  }

  private static void check(Connection connection, long[] progress, List<String> problems)
      throws SQLException {
    for (String problem : connection.unwrap(GpdbConnection.class).check()) {
      problems.add("backup: " + problem);
    }
    try (Statement statement = connection.createStatement()) {
      try (ResultSet sums = statement.executeQuery(KillWorkload.SUMS)) {
        sums.next();
        KillWorkload.requireSums(sums, "a backup");
      }
      try (ResultSet row = statement.executeQuery("SELECT worker, n FROM progress")) {
        while (row.next()) {
          if (row.getLong(2) > progress[row.getInt(1)]) {
            problems.add(
                "backup: worker %d is at transaction %d, in the database at %d"
                    .formatted(row.getInt(1), row.getLong(2), progress[row.getInt(1)]));
          }
        }
      }
    } catch (IllegalStateException e) {
      problems.add(String.valueOf(e.getMessage()));
    }
  }
}
