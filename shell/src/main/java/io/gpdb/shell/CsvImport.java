package io.gpdb.shell;

import io.gpdb.jdbc.GpdbConnection;
import io.gpdb.session.copy.CsvSample;
import io.gpdb.sql.statement.CopyFormat;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * .import: loads a CSV file with a header by COPY. A missing table is created from the header and a
 * sample of the rows; creating and loading are one transaction, so that a bad line leaves nothing.
 */
final class CsvImport {
  private static final long SAMPLE_ROWS = 10_000;
  private static final CopyFormat FORMAT = CopyFormat.CSV.withHeader(true);

  private final Shell shell;
  private final GpdbConnection connection;

  CsvImport(Shell shell) {
    this.shell = shell;
    this.connection = shell.connection();
  }

  /** Returns the number of rows imported. */
  long run(String file, String tableWord) throws SQLException {
    String table = Words.nameOf(tableWord);
    if (Schema.exists(connection, table)) {
      return atomically(() -> copy(file, table));
    }
    CsvSample sample = CsvSample.read(file, FORMAT, SAMPLE_ROWS);
    try {
      return createAndCopy(file, table, sample);
    } catch (SQLException e) {
      if (!isMisfit(e)) {
        throw e;
      }
      // A later row needs a wider type than the sample showed.
      CsvSample all = CsvSample.read(file, FORMAT, Long.MAX_VALUE);
      if (all.types().equals(sample.types())) {
        throw e;
      }
      return createAndCopy(file, table, all);
    }
  }

  /** A value that is no value of its column's type. */
  private static boolean isMisfit(SQLException e) {
    return switch (String.valueOf(e.getSQLState())) {
      case "22018", "22003", "22007", "22008" -> true;
      default -> false;
    };
  }

  private long createAndCopy(String file, String table, CsvSample sample) throws SQLException {
    return atomically(
        () -> {
          shell.update(createTable(table, sample));
          return copy(file, table);
        });
  }

  private static String createTable(String table, CsvSample sample) {
    List<String> columns = new ArrayList<>();
    Set<String> used = new HashSet<>();
    for (int i = 0; i < sample.names().size(); i++) {
      String given = sample.names().get(i);
      String name = Words.isPlainName(given) ? given.toUpperCase(Locale.ROOT) : given;
      if (name.isEmpty()) {
        throw new ShellError("the header has no name for column " + (i + 1));
      }
      if (!used.add(name)) {
        throw new ShellError("the header names the column " + given + " twice");
      }
      columns.add(Words.quoted(name) + " " + sample.types().get(i));
    }
    return "CREATE TABLE " + Words.quoted(table) + " (" + String.join(", ", columns) + ")";
  }

  private long copy(String file, String table) throws SQLException {
    try (ProgressBar bar = new ProgressBar(shell.console())) {
      connection.onCopyProgress(bar);
      return shell.update(
          "COPY "
              + Words.quoted(table)
              + " FROM "
              + Words.literal(file)
              + " (FORMAT CSV, HEADER, EXACT)");
    } finally {
      connection.onCopyProgress(io.gpdb.session.copy.CopyProgress.SILENT);
    }
  }

  private interface Work {
    long run() throws SQLException;
  }

  /** All or nothing: a transaction of its own, or a part of the one that is open. */
  private long atomically(Work work) throws SQLException {
    if (connection.inTransaction()) {
      Savepoint before = connection.setSavepoint();
      try {
        return work.run();
      } catch (SQLException | RuntimeException e) {
        connection.rollback(before);
        throw e;
      }
    }
    connection.setAutoCommit(false);
    try {
      long rows = work.run();
      connection.commit();
      return rows;
    } catch (SQLException | RuntimeException e) {
      rollback(connection, e);
      throw e;
    } finally {
      connection.setAutoCommit(true);
    }
  }

  private static void rollback(Connection connection, Exception failure) {
    try {
      connection.rollback();
    } catch (SQLException e) {
      failure.addSuppressed(e);
    }
  }
}
