package io.gpdb.bench.queries;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What the user wants to be asked: definitions of tables, a file of rows for each, queries.
 *
 * @param definitions the statements of the schema
 * @param tables their names, as the schema has them
 * @param queries by the names of their files
 */
record Workload(List<String> definitions, List<String> tables, List<Query> queries) {
  private static final Pattern TABLE =
      Pattern.compile(
          "CREATE\\s+TABLE\\s+([\\w.\"]+).*", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);
  private static final Pattern LIMIT =
      Pattern.compile("\\s+LIMIT\\s+\\d+\\s*$", Pattern.CASE_INSENSITIVE);
  private static final String SUFFIX = ".sql";

  /** One query. */
  record Query(String name, String sql) {
    /** The query for all of its rows, of which a LIMIT at its end may take any of equal rank. */
    Query withoutLimit() {
      return new Query(name, LIMIT.matcher(sql).replaceFirst(""));
    }
  }

  /**
   * How the files of rows are written.
   *
   * @param suffix what their names have after those of the tables
   * @param missing the text of a NULL
   */
  record Format(String suffix, String delimiter, String quote, String missing) {
    private String options() {
      return "(FORMAT CSV, DELIMITER '%s', NULL '%s', QUOTE '%s')"
          .formatted(text(delimiter), text(missing), text(quote));
    }
  }

  private static String text(String value) {
    return value.replace("'", "''");
  }

  /** Reads a file of definitions and a folder of files with a query each, in order of names. */
  static Workload read(Path schema, Path queries) throws IOException {
    List<String> definitions = statements(Files.readString(schema));
    List<String> tables = new ArrayList<>();
    for (String definition : definitions) {
      Matcher table = TABLE.matcher(definition);
      if (table.matches()) {
        tables.add(table.group(1));
      }
    }
    List<Query> found = new ArrayList<>();
    try (Stream<Path> files = Files.list(queries)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (name.endsWith(SUFFIX)) {
          String sql = Files.readString(file).strip();
          found.add(
              new Query(
                  name.substring(0, name.length() - SUFFIX.length()),
                  sql.endsWith(";") ? sql.substring(0, sql.length() - 1) : sql));
        }
      }
    }
    return new Workload(definitions, tables, found);
  }

  /** The statements of a text whose strings and comments hold no semicolon. */
  private static List<String> statements(String text) {
    return Stream.of(text.split(";", -1)).map(String::strip).filter(s -> !s.isEmpty()).toList();
  }

  /** Makes the tables and fills each from its file. */
  void load(Connection connection, Path data, Format format, Consumer<String> told)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String definition : definitions) {
        statement.execute(definition);
      }
      for (String table : tables) {
        told.accept(table);
        Path file = data.resolve(table.replace("\"", "") + format.suffix());
        statement.execute(
            "COPY %s FROM '%s' %s".formatted(table, text(file.toString()), format.options()));
      }
    }
  }
}
