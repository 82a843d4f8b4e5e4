package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What URLs name, and the right spelling of those that name nothing. */
final class UrlPlaceTest {
  @TempDir private Path temp;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          jdbc:gpdb:                  | jdbc:gpdb:PATH or jdbc:gpdb:mem:NAME
          jdbc:gpdb:mem               | jdbc:gpdb:mem: for
          jdbc:gpdb:MEM               | jdbc:gpdb:mem: for
          jdbc:gpdb:memory            | jdbc:gpdb:mem: for
          jdbc:gpdb:memory:x          | jdbc:gpdb:mem:x
          jdbc:gpdb://host/data/db    | jdbc:gpdb:/data/db
          jdbc:gpdb://host:5432/db    | jdbc:gpdb:/db
          jdbc:gpdb://host            | jdbc:gpdb:/PATH
          jdbc:gpdb:tcp://host/db     | write jdbc:gpdb:
          jdbc:gpdb:file:             | write jdbc:gpdb:
          jdbc:gpdb:~other/db         | only ~/ is known
          jdbc:gpdb:/tmp/x?create=true | ;create=false
          jdbc:gpdb:mem:x?a=b&c=d     | follow a semicolon
          jdbc:gpdb:mem:x;a=b         | 'a=b' in the URL is not one of
          jdbc:gpdb:mem:x;create      | 'create' in the URL is not one of
          """)
  void aWrongSpellingIsRefusedWithTheRightOne(String url, String right) {
    assertThatThrownBy(() -> DriverManager.getConnection(url))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08001"))
        .hasMessageContaining(right);
  }

  @ParameterizedTest
  @CsvSource({"file:", "file://", "'' "})
  void aDirectoryMayBeNamedAsAFile(String prefix) throws SQLException {
    Path directory = temp.resolve("db");
    DriverManager.getConnection("jdbc:gpdb:" + prefix.strip() + directory).close();
    assertThat(Files.exists(directory.resolve("home.gpdb"))).isTrue();
  }

  @Test
  void tildeIsTheHomeOfTheUser() throws SQLException {
    JdbcUrl url = JdbcUrl.parse("jdbc:gpdb:~/data/db", null);
    assertThat(url.path()).isEqualTo(Path.of(System.getProperty("user.home"), "data", "db"));
    assertThat(JdbcUrl.parse("jdbc:gpdb:file:~/db", null).path())
        .isEqualTo(Path.of(System.getProperty("user.home"), "db"));
    assertThat(JdbcUrl.parse("jdbc:gpdb:Mem:x", null).place().inMemory()).isTrue();
  }

  @Test
  void oneDirectoryIsMadeAndNotMore() throws SQLException {
    Path deep = temp.resolve("typed/wrong/db");
    assertThatThrownBy(() -> DriverManager.getConnection("jdbc:gpdb:" + deep))
        .isInstanceOfSatisfying(
            SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("08001"))
        .hasMessageContaining("missing=" + deep.getParent());
    assertThat(temp).isEmptyDirectory();
    Path shallow = temp.resolve("db");
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + shallow)) {
      assertThat(connection.unwrap(GpdbConnection.class).isNewDatabase()).isTrue();
    }
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:" + shallow)) {
      assertThat(connection.unwrap(GpdbConnection.class).isNewDatabase()).isFalse();
    }
  }
}
