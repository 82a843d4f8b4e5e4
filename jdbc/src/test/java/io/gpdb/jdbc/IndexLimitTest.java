package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;

class IndexLimitTest {
  @Test
  void aTableHas32IndexesAndNoMore() throws SQLException {
    try (TestDatabase database = new TestDatabase("CREATE TABLE t (a INTEGER, b INTEGER)")) {
      for (int i = 0; i < 32; i++) {
        database.execute("CREATE INDEX i" + i + " ON t (a, b)");
      }
      assertThatThrownBy(() -> database.execute("CREATE INDEX more ON t (a)"))
          .isInstanceOfSatisfying(
              SQLException.class, e -> assertThat(e.getSQLState()).isEqualTo("54000"));
      database.execute("DROP INDEX i7");
      database.execute("CREATE INDEX more ON t (a)");
    }
  }
}
