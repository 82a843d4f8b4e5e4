package io.gpdb.shell;

import io.gpdb.jdbc.GpdbConnection;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/** Runs statements and dot-commands on one connection and prints what they return. */
final class Shell {
  private static final int READ_DEPTH_MAX = 16;

  private final GpdbConnection connection;
  private final DotCommands dotCommands;
  private Console console;
  private OutputFormat format;
  private boolean timing;
  private boolean quitting;
  private int readDepth;

  /** The statement that runs now, for another thread to cancel. */
  private volatile @Nullable Statement running;

  Shell(GpdbConnection connection, Console console, OutputFormat format) {
    this.connection = connection;
    this.console = console;
    this.format = format;
    this.timing = console.terminal();
    this.dotCommands = new DotCommands(this);
  }

  GpdbConnection connection() {
    return connection;
  }

  Console console() {
    return console;
  }

  void resize(int columns) {
    console = console.withWidth(columns);
  }

  OutputFormat format() {
    return format;
  }

  void setFormat(OutputFormat newFormat) {
    format = newFormat;
  }

  boolean timing() {
    return timing;
  }

  void setTiming(boolean on) {
    timing = on;
  }

  boolean quitting() {
    return quitting;
  }

  void quit() {
    quitting = true;
  }

  /** Cancels the statement that runs, if one does; called by a signal's thread. */
  void cancel() {
    Statement statement = running;
    if (statement != null) {
      try {
        statement.cancel();
      } catch (SQLException e) {
        console.error(e);
      }
    }
  }

  /** Runs everything in the text; the first failure ends it and is thrown. */
  void runScript(String text) throws SQLException {
    Script script = Script.parse(text);
    for (String item : script.items()) {
      if (quitting) {
        return;
      }
      run(item);
    }
    if (script.open() == Script.Open.STATEMENT) {
      if (!quitting) {
        run(script.rest().strip());
      }
    } else if (script.open() != Script.Open.NOTHING) {
      String what = script.open().name().toLowerCase(java.util.Locale.ROOT);
      throw new ShellError("syntax error: a " + what + " is not closed at the end of the input");
    }
  }

  void runFile(Path file) throws SQLException {
    if (readDepth == READ_DEPTH_MAX) {
      throw new ShellError(".read is nested more than " + READ_DEPTH_MAX + " deep: " + file);
    }
    readDepth++;
    try {
      runScript(Files.readString(file, StandardCharsets.UTF_8));
    } catch (java.nio.file.NoSuchFileException e) {
      throw new ShellError("there is no file " + file);
    } catch (IOException e) {
      throw new ShellError(file + " cannot be read: " + e.getMessage());
    } finally {
      readDepth--;
    }
  }

  /** Runs one statement or dot-command. */
  void run(String item) throws SQLException {
    try {
      if (Script.isDotCommand(item)) {
        dotCommands.run(item);
      } else {
        runSql(item);
      }
    } finally {
      console.out().flush();
    }
  }

  private void runSql(String sql) throws SQLException {
    long start = System.nanoTime();
    try (Statement statement = connection.createStatement()) {
      running = statement;
      boolean hasRows = statement.execute(sql);
      while (true) {
        if (hasRows) {
          printRows(statement, start);
        } else if (statement.getLargeUpdateCount() >= 0) {
          noteChanges(sql, statement.getLargeUpdateCount(), start);
        } else {
          return;
        }
        hasRows = statement.getMoreResults();
      }
    } finally {
      running = null;
    }
  }

  private void printRows(Statement statement, long start) throws SQLException {
    try (ResultSet rows = statement.getResultSet()) {
      ResultPrinter printer = format.printer(console.width());
      long printed = printer.print(rows, console.out());
      note((printed == 1 ? "1 row" : printed + " rows"), start);
    }
  }

  private void noteChanges(String sql, long count, long start) {
    boolean counts =
        sql.length() >= 4
            && switch (sql.strip().split("[\\s(]", 2)[0].toUpperCase(java.util.Locale.ROOT)) {
              case "INSERT", "UPDATE", "DELETE", "COPY", "MERGE", "REPLACE", "WITH" -> true;
              default -> false;
            };
    note(counts ? (count == 1 ? "1 row changed" : count + " rows changed") : "OK", start);
  }

  /** A line under a result, for people: what happened and, when asked for, how long it took. */
  void note(String text, long startNanos) {
    String time = "";
    if (timing) {
      time = Durations.text(System.nanoTime() - startNanos);
    }
    if (format.printer(0).isForPeople()) {
      console.out().println("(" + text + (timing ? ", " + time : "") + ")");
      console.out().println();
    } else if (timing) {
      console.out().flush();
      console.err().println(text + ", " + time);
      console.err().flush();
    }
  }

  /** Runs a statement whose count matters, with Ctrl-C at hand. */
  long update(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      running = statement;
      return statement.executeLargeUpdate(sql);
    } finally {
      running = null;
    }
  }
}
