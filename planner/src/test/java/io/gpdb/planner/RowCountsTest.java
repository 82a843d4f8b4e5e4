package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.planner.statement.ParameterColumns;
import java.util.stream.LongStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The same statements around the sizes of warps, blocks and tablets. */
class RowCountsTest {
  @ParameterizedTest
  @ValueSource(ints = {0, 1, 31, 32, 33, 64, 65, 1023, 1024, 1025, 65535, 65536, 65537})
  void everyRowIsInsertedReadChangedAndDeletedOnce(int n) {
    try (EndToEnd db = new EndToEnd()) {
      db.run("CREATE TABLE t (id INT PRIMARY KEY, n BIGINT, s VARCHAR(10))");
      fill(db, n);
      long nulls = LongStream.range(0, n).filter(i -> i % 7 == 3).count();
      long sum = LongStream.range(0, n).filter(i -> i % 7 != 3).map(i -> i * 3).sum();
      assertThat(db.rows("SELECT COUNT(*), COUNT(n), COALESCE(SUM(n), 0) FROM t"))
          .containsExactly(n + "|" + (n - nulls) + "|" + sum);
      assertThat(db.rows("SELECT COUNT(*) FROM t a JOIN t b ON a.id = b.id AND a.n = b.n"))
          .containsExactly(Long.toString(n - nulls));
      assertThat(db.rows("SELECT COUNT(*) FROM (SELECT s FROM t GROUP BY s) x"))
          .containsExactly(Integer.toString(Math.min(n, 5)));
      assertThat(db.rows("SELECT id FROM t ORDER BY s, id DESC LIMIT 1"))
          .isEqualTo(n == 0 ? java.util.List.of() : java.util.List.of("" + (n - 1) / 5 * 5));
      assertThat(db.rows("SELECT id FROM t")).hasSize(n);
      assertThat(db.run("UPDATE t SET n = COALESCE(n, 0) + 1, s = s || CAST(id AS VARCHAR)"))
          .isEqualTo(n);
      assertThat(db.rows("SELECT COALESCE(SUM(n), 0), COUNT(DISTINCT s) FROM t"))
          .containsExactly((sum + n) + "|" + n);
      long odd = n / 2;
      assertThat(db.run("DELETE FROM t WHERE MOD(id, 2) = 1")).isEqualTo(odd);
      assertThat(db.rows("SELECT COUNT(*), COALESCE(MAX(id), -1) FROM t"))
          .containsExactly((n - odd) + "|" + (n == 0 ? -1 : (n - 1) / 2 * 2));
      assertThat(db.run("INSERT INTO t SELECT id + 1000000, n, s FROM t")).isEqualTo(n - odd);
      assertThat(db.rows("SELECT COUNT(*) FROM t")).containsExactly("" + 2 * (n - odd));
      assertThat(db.run("TRUNCATE TABLE t")).isGreaterThanOrEqualTo(0);
      assertThat(db.rows("SELECT * FROM t")).isEmpty();
    }
  }

  private static void fill(EndToEnd db, int n) {
    db.inTransaction(
        tx -> {
          Prepared insert = db.engine.prepare("INSERT INTO t VALUES (?, ?, ?)", tx);
          ParameterColumns batch = new ParameterColumns(insert.parameters());
          for (int i = 0; i < n; i++) {
            batch.setLong(0, i);
            if (i % 7 == 3) {
              batch.setNull(1);
            } else {
              batch.setLong(1, i * 3L);
            }
            batch.setString(2, "s" + i % 5);
            batch.addRow();
          }
          return insert.executeBatch(tx, batch);
        });
  }
}
