package io.gpdb.jdbc;

import io.gpdb.jdbc.value.SqlErrors;
import io.gpdb.session.database.DatabaseProblems;
import io.gpdb.storage.medium.FileDirectory;
import io.gpdb.storage.medium.StorageDirectory;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;

/** Checks a database that nobody has open, without a connection to it. */
public final class DatabaseCheck {
  private DatabaseCheck() {}

  /**
   * Every problem, one line each.
   *
   * @throws SQLException when there is no database to check, or it is in use
   */
  public static List<String> run(Path database) throws SQLException {
    try (StorageDirectory directory = FileDirectory.openReadOnly(database)) {
      return DatabaseProblems.of(directory);
    } catch (RuntimeException | Error e) {
      throw SqlErrors.translate(e);
    }
  }
}
