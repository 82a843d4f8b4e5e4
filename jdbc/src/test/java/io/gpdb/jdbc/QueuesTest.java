package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Tables whose first rows are taken and whose last are added, which readers begin where rows are:
 * compared with sorted sets, while rows come back at the beginning, other readers keep old states,
 * and transactions roll back. {@code -Dgpdb.fuzz=3} does so for three times as many steps.
 */
class QueuesTest {
  private static final long SEED = Long.getLong("gpdb.seed", 20261126L);
  private static final int QUEUES = 3;
  private static final int STEPS = 500 * Integer.getInteger("gpdb.fuzz", 1);

  private final Random random = new Random(SEED);
  private final List<TreeSet<Integer>> queues = new ArrayList<>();

  @Test
  void theFirstRowIsTheFirstOfAModel() throws SQLException {
    for (int q = 0; q < QUEUES; q++) {
      queues.add(new TreeSet<>());
    }
    try (Connection writer = DriverManager.getConnection("jdbc:gpdb:mem:queues" + SEED);
        Connection reader = DriverManager.getConnection("jdbc:gpdb:mem:queues" + SEED);
        Statement statement = writer.createStatement()) {
      statement.execute("CREATE TABLE t (q INT, n INT, PRIMARY KEY (q, n))");
      writer.setAutoCommit(false);
      reader.setAutoCommit(false);
      List<TreeSet<Integer>> old = copy();
      check(reader, old, 0); // from here on it sees the state of now
      for (int step = 0; step < STEPS; step++) {
        List<TreeSet<Integer>> before = copy();
        change(writer);
        check(writer, queues, step);
        if (random.nextInt(4) == 0) {
          writer.rollback();
          queues.clear();
          queues.addAll(before);
        } else {
          writer.commit();
        }
        check(writer, queues, step);
        if (random.nextInt(10) == 0) {
          reader.commit();
          old = copy();
        }
        check(reader, old, step); // the first after its commit takes a new snapshot
        if (random.nextInt(100) == 0) {
          writer.commit();
          reader.commit();
          statement.execute("VACUUM t");
          writer.commit();
          old = copy();
          check(reader, old, step);
        }
      }
    }
  }

  private List<TreeSet<Integer>> copy() {
    List<TreeSet<Integer>> copy = new ArrayList<>();
    queues.forEach(queue -> copy.add(new TreeSet<>(queue)));
    return copy;
  }

  private void change(Connection writer) throws SQLException {
    int q = random.nextInt(QUEUES);
    TreeSet<Integer> queue = queues.get(q);
    int some = 1 + random.nextInt(80);
    switch (random.nextInt(6)) {
      case 0, 1 -> {
        int from = queue.isEmpty() ? random.nextInt(1000) : queue.last() + 1;
        add(writer, q, from, some);
      }
      case 2, 3 -> take(writer, q, some);
      case 4 -> add(writer, q, random.nextInt(1000), 1 + random.nextInt(3));
      default -> {
        if (!queue.isEmpty()) {
          move(writer, q, queue.first());
        }
      }
    }
  }

  private void add(Connection writer, int q, int from, int count) throws SQLException {
    try (PreparedStatement insert = writer.prepareStatement("INSERT INTO t VALUES (?, ?)")) {
      for (int n = from; n < from + count; n++) {
        if (queues.get(q).add(n)) {
          insert.setInt(1, q);
          insert.setInt(2, n);
          insert.addBatch();
        }
      }
      insert.executeBatch();
    }
  }

  private void take(Connection writer, int q, int count) throws SQLException {
    try (PreparedStatement delete =
        writer.prepareStatement("DELETE FROM t WHERE q = ? AND n = ?")) {
      for (int i = 0; i < count && !queues.get(q).isEmpty(); i++) {
        delete.setInt(1, q);
        delete.setInt(2, queues.get(q).pollFirst());
        assertThat(delete.executeUpdate()).isOne();
      }
    }
  }

  private void move(Connection writer, int q, int n) throws SQLException {
    int to = n - random.nextInt(5);
    if (queues.get(q).contains(to)) {
      return;
    }
    try (Statement statement = writer.createStatement()) {
      statement.execute("UPDATE t SET n = " + to + " WHERE q = " + q + " AND n = " + n);
    }
    queues.get(q).remove(n);
    queues.get(q).add(to);
  }

  private void check(Connection reader, List<TreeSet<Integer>> expected, int step)
      throws SQLException {
    int q = random.nextInt(QUEUES);
    TreeSet<Integer> queue = expected.get(q);
    String where = " FROM t WHERE q = " + q;
    int from = random.nextInt(1000);
    String about = "seed %d, step %d".formatted(SEED, step);
    assertThat(first(reader, "SELECT MIN(n)" + where))
        .as(about)
        .isEqualTo(queue.isEmpty() ? null : queue.first());
    assertThat(first(reader, "SELECT MAX(n)" + where))
        .as(about)
        .isEqualTo(queue.isEmpty() ? null : queue.last());
    assertThat(all(reader, "SELECT n" + where + " ORDER BY n LIMIT 5"))
        .as(about)
        .isEqualTo(queue.stream().limit(5).toList());
    assertThat(all(reader, "SELECT n" + where + " AND n >= " + from + " ORDER BY n LIMIT 3"))
        .as(about)
        .isEqualTo(queue.tailSet(from).stream().limit(3).toList());
    List<Integer> firstQueue =
        IntStream.range(0, QUEUES)
            .filter(i -> !expected.get(i).isEmpty())
            .limit(1)
            .boxed()
            .toList();
    assertThat(all(reader, "SELECT q FROM t ORDER BY q, n LIMIT 1"))
        .as(about)
        .isEqualTo(firstQueue);
  }

  private static List<Integer> all(Connection reader, String sql) throws SQLException {
    List<Integer> values = new ArrayList<>();
    try (Statement statement = reader.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        int value = rows.getInt(1);
        values.add(rows.wasNull() ? null : value);
      }
    }
    return values;
  }

  private static Integer first(Connection reader, String sql) throws SQLException {
    return all(reader, sql).getFirst();
  }
}
