package io.gpdb.shell;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The commands that begin with a dot. */
final class DotCommands {
  /** How each is written, and what it does. */
  static final Map<String, String> HELP = new LinkedHashMap<>();

  static {
    HELP.put(".help", "this list");
    HELP.put(".tables", "tables and views");
    HELP.put(".schema [TABLE]", "CREATE TABLE or VIEW of one or all of them");
    HELP.put(".indexes [TABLE]", "indexes of one or all tables");
    HELP.put(
        ".import FILE TABLE", "load a CSV file (.gz too) with a header; creates a missing table");
    HELP.put(".export TABLE|QUERY FILE", "write a table or a query's rows as CSV (.gz too)");
    HELP.put(".format table|csv|json", "how results are shown");
    HELP.put(".timing on|off", "show how long each statement takes");
    HELP.put(".read FILE", "run the statements and commands of a file");
    HELP.put(".check", "read every byte of the database and report what is wrong");
    HELP.put(".quit", "leave (also Ctrl-D)");
  }

  private final Shell shell;

  DotCommands(Shell shell) {
    this.shell = shell;
  }

  void run(String line) throws SQLException {
    String trimmed = line.endsWith(";") ? line.substring(0, line.length() - 1) : line;
    String[] parts = trimmed.strip().split("\\s+", 2);
    String rest = parts.length == 1 ? "" : parts[1];
    switch (parts[0].toLowerCase(Locale.ROOT)) {
      case ".help" -> help();
      case ".tables" -> tables();
      case ".schema" -> schema(rest);
      case ".indexes" -> indexes(rest);
      case ".import" -> importFile(words(rest, 2, ".import FILE TABLE"));
      case ".export" -> export(rest);
      case ".format" -> format(rest);
      case ".timing" -> timing(rest);
      case ".read" -> shell.runFile(Path.of(words(rest, 1, ".read FILE").getFirst()));
      case ".check" -> check();
      case ".quit", ".exit" -> shell.quit();
      default -> throw new ShellError("there is no command " + parts[0] + "; .help lists them");
    }
  }

  private PrintWriter out() {
    return shell.console().out();
  }

  private static List<String> words(String text, int count, String usage) {
    List<String> words = Words.split(text);
    if (words.size() != count) {
      throw new ShellError("usage: " + usage);
    }
    return words;
  }

  private void help() {
    int width = HELP.keySet().stream().mapToInt(String::length).max().orElse(0);
    HELP.forEach(
        (usage, text) -> out().println(usage + " ".repeat(width - usage.length() + 2) + text));
    out().println("Everything else is SQL and ends with a semicolon.");
  }

  private void tables() throws SQLException {
    for (String table : Schema.tables(shell.connection())) {
      out().println(Words.readable(table));
    }
  }

  private void schema(String rest) throws SQLException {
    List<String> statements =
        rest.isBlank()
            ? Schema.create(shell.connection())
            : Schema.create(shell.connection(), Schema.require(shell.connection(), rest.strip()));
    statements.forEach(out()::println);
  }

  private void indexes(String rest) throws SQLException {
    List<String> tables =
        rest.isBlank()
            ? Schema.tables(shell.connection())
            : List.of(Schema.require(shell.connection(), rest.strip()));
    for (String table : tables) {
      for (String index : Schema.indexes(shell.connection(), table)) {
        out().println(index);
      }
    }
  }

  private void importFile(List<String> words) throws SQLException {
    long start = System.nanoTime();
    long rows = new CsvImport(shell).run(words.get(0), words.get(1));
    double seconds = (System.nanoTime() - start) / 1e9;
    shell.note(
        String.format(
            Locale.ROOT,
            "%,d rows imported into %s, %,.0f rows/s",
            rows,
            Words.readable(Words.nameOf(words.get(1))),
            rows / Math.max(seconds, 1e-9)),
        start);
  }

  /** The file is the last word; what is before it is a table or a query. */
  private void export(String rest) throws SQLException {
    String usage = ".export TABLE|QUERY FILE";
    String text = rest.strip();
    int split =
        text.endsWith("'") ? text.lastIndexOf('\'', text.length() - 2) : lastBlank(text) + 1;
    if (split <= 0) {
      throw new ShellError("usage: " + usage);
    }
    String source = text.substring(0, split).strip();
    String file = words(text.substring(split), 1, usage).getFirst();
    boolean table = Words.isPlainName(source) || source.startsWith("\"");
    if (source.isEmpty()) {
      throw new ShellError("usage: " + usage);
    }
    long start = System.nanoTime();
    String from =
        table
            ? Words.quoted(Schema.require(shell.connection(), source))
            : "("
                + (source.endsWith(";") ? source.substring(0, source.length() - 1) : source)
                + ")";
    long rows =
        shell.update("COPY " + from + " TO " + Words.literal(file) + " (FORMAT CSV, HEADER)");
    shell.note(String.format(Locale.ROOT, "%,d rows written to %s", rows, file), start);
  }

  private static int lastBlank(String text) {
    for (int i = text.length() - 1; i >= 0; i--) {
      if (Character.isWhitespace(text.charAt(i))) {
        return i;
      }
    }
    return -1;
  }

  private void format(String rest) {
    if (rest.isBlank()) {
      out().println(shell.format());
    } else {
      shell.setFormat(OutputFormat.named(rest.strip()));
    }
  }

  private void timing(String rest) {
    switch (rest.strip().toLowerCase(Locale.ROOT)) {
      case "" -> out().println(shell.timing() ? "on" : "off");
      case "on" -> shell.setTiming(true);
      case "off" -> shell.setTiming(false);
      default -> throw new ShellError("usage: .timing on|off");
    }
  }

  private void check() throws SQLException {
    List<String> problems = shell.connection().check();
    for (String problem : problems) {
      out().println(problem);
    }
    if (!problems.isEmpty()) {
      throw new ShellError(problems.size() + " problems found");
    }
    out().println("no problem found");
  }

  /** The value of a setting as SHOW returns it. */
  static String setting(Shell shell, String name) throws SQLException {
    try (var statement = shell.connection().createStatement();
        ResultSet row = statement.executeQuery("SHOW " + name)) {
      return row.next() ? String.valueOf(row.getString(1)) : "";
    }
  }
}
