package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What docs/tools.md says that the tools know of databases is in the jars of the tools. */
class ComparedToolsTest {
  private static final Path DOCUMENT =
      Path.of(Files.exists(Path.of("docs")) ? "docs" : "../docs", "tools.md");

  private static final String HEAD =
      """
      | tool | gpDB | H2 | SQLite | DuckDB | PostgreSQL |
      | --- | --- | --- | --- | --- | --- |
      """;

  /**
   * A tool that has a class for each database that it knows.
   *
   * @param known the class of a database, with %s for its name
   * @param ours what knows gpDB
   * @param names how the tool calls H2, SQLite, DuckDB and PostgreSQL
   */
  private record Tool(String name, String known, String ours, List<String> names) {}

  private static final List<String> NAMES = List.of("H2", "SQLite", "DuckDB", "PostgreSQL");
  private static final List<Tool> TOOLS =
      List.of(
          new Tool(
              "Hibernate ORM",
              "org.hibernate.dialect.%sDialect",
              GpdbDialect.class.getName(),
              NAMES),
          new Tool(
              "EclipseLink", "org.eclipse.persistence.platform.database.%sPlatform", "", NAMES),
          new Tool(
              "Spring Data JDBC",
              "org.springframework.data.jdbc.core.dialect.Jdbc%sDialect",
              GpdbJdbcDialect.class.getName(),
              List.of("H2", "SQLite", "DuckDb", "Postgres")),
          new Tool(
              "Liquibase",
              "liquibase.database.core.%sDatabase",
              GpdbLiquibaseDatabase.class.getName(),
              List.of("H2", "SQLite", "DuckDb", "Postgres")),
          new Tool(
              "Flyway",
              "org.flywaydb.core.internal.database.%sDatabaseType",
              GpdbDatabaseType.class.getName(),
              List.of("h2.H2", "sqlite.SQLite", "duckdb.DuckDB", "postgresql.PostgreSQL")));

  @Test
  void theDocumentSaysWhichToolKnowsWhichDatabase() throws IOException {
    StringBuilder table = new StringBuilder(HEAD);
    for (Tool tool : TOOLS) {
      table.append("| ").append(tool.name).append(" | ");
      table.append(isThere(tool.ours) ? "`gpdb-tools`" : "-").append(" | ");
      for (String name : tool.names) {
        table.append(isThere(tool.known.formatted(name)) ? "built in" : "-").append(" | ");
      }
      table.setLength(table.length() - 1);
      table.append('\n');
    }
    assertThat(Files.readString(DOCUMENT)).contains(table);
  }

  private static boolean isThere(String name) {
    try {
      Class.forName(name, false, ComparedToolsTest.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }
}
