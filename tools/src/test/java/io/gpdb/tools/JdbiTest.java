package io.gpdb.tools;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.LocalDateTime;
import java.util.List;
import java.util.Optional;
import org.jdbi.v3.core.Handle;
import org.jdbi.v3.core.Jdbi;
import org.jdbi.v3.core.statement.PreparedBatch;
import org.jdbi.v3.core.statement.UnableToExecuteStatementException;

/** JDBI 3. */
class JdbiTest extends ClientTest {
  @Override
  void run(String url) {
    Jdbi jdbi = Jdbi.create(url);
    jdbi.useHandle(
        handle ->
            handle.execute(
                "CREATE TABLE event (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,"
                    + " name VARCHAR(30) NOT NULL, at TIMESTAMP, weight DOUBLE)"));
    LocalDateTime noon = LocalDateTime.of(2024, 2, 29, 12, 0, 0, 123_456_000);
    long id =
        jdbi.withHandle(
            handle ->
                handle
                    .createUpdate("INSERT INTO event (name, at, weight) VALUES (:n, :at, :w)")
                    .bind("n", "start")
                    .bind("at", noon)
                    .bindNull("w", java.sql.Types.DOUBLE)
                    .executeAndReturnGeneratedKeys("id")
                    .mapTo(Long.class)
                    .one());
    assertThat(id).isOne();
    jdbi.useTransaction(JdbiTest::batch);
    List<String> names =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery("SELECT name FROM event WHERE name IN (<names>) ORDER BY name")
                    .bindList("names", List.of("b2", "b3", "start"))
                    .mapTo(String.class)
                    .list());
    assertThat(names).containsExactly("b2", "b3", "start");
    Optional<LocalDateTime> at =
        jdbi.withHandle(
            handle ->
                handle
                    .createQuery("SELECT at FROM event WHERE id = ?")
                    .bind(0, id)
                    .mapTo(LocalDateTime.class)
                    .findOne());
    assertThat(at).contains(noon);
    assertThatThrownBy(() -> jdbi.useTransaction(JdbiTest::fail))
        .isInstanceOf(UnableToExecuteStatementException.class);
    assertThat(count(jdbi)).isEqualTo(6);
  }

  private static void batch(Handle handle) {
    PreparedBatch batch = handle.prepareBatch("INSERT INTO event (name, weight) VALUES (:n, :w)");
    for (int i = 0; i < 5; i++) {
      batch.bind("n", "b" + i).bind("w", i / 2.0).add();
    }
    assertThat(batch.execute()).hasSize(5);
  }

  private static void fail(Handle handle) {
    handle.execute("DELETE FROM event");
    handle.execute("INSERT INTO event (name) VALUES (NULL)");
  }

  private static int count(Jdbi jdbi) {
    return jdbi.withHandle(
        handle -> handle.createQuery("SELECT count(*) FROM event").mapTo(Integer.class).one());
  }
}
