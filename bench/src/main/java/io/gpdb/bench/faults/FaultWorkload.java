package io.gpdb.bench.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Transactions on one table, and what the table holds after each of them. */
final class FaultWorkload {
  static final String QUERY = "SELECT id, v, name FROM t";
  static final long[] SOME_IDS = {0, 7, 100, 399, 900, 5000};
  private static final int BATCH_ROWS = 250;
  private static final int NAMES = 29;

  private final List<Step> steps = new ArrayList<>();
  private final TreeMap<Long, @Nullable Long> values = new TreeMap<>();
  private long nextId;

  /**
   * @param statements of one transaction; none is a checkpoint
   * @param after the table's rows when it is committed
   */
  record Step(List<String> statements, Map<Long, String> after) {
    boolean isCheckpoint() {
      return statements.isEmpty();
    }

    void run(FaultyEngine engine) {
      if (isCheckpoint()) {
        engine.manager().checkpoint();
      } else {
        engine.run(statements);
      }
    }
  }

  FaultWorkload(long seed, int count) {
    Random random = new Random(seed);
    add(List.of("CREATE TABLE t (id BIGINT PRIMARY KEY, v BIGINT, name VARCHAR(40))"));
    add(List.of(insert()));
    for (int i = 2; i < count; i++) {
      switch (random.nextInt(6)) {
        case 0, 1 -> add(List.of(insert(), update(random)));
        case 2 -> add(List.of(update(random)));
        case 3 -> add(List.of(delete(random), update(random)));
        case 4 -> add(List.of("CREATE TABLE u" + i + " (k INT UNIQUE)", insert()));
        default -> add(List.of());
      }
    }
  }

  List<Step> steps() {
    return steps;
  }

  private void add(List<String> statements) {
    Map<Long, String> rows = new TreeMap<>();
    values.forEach((id, v) -> rows.put(id, (v == null ? "NULL" : v) + " " + name(id)));
    steps.add(new Step(statements, rows));
  }

  private static String name(long id) {
    return "name number " + id % NAMES;
  }

  private String insert() {
    StringBuilder sql = new StringBuilder("INSERT INTO t VALUES ");
    for (int i = 0; i < BATCH_ROWS; i++) {
      long id = nextId++;
      @Nullable Long v = id % 11 == 3 ? null : id * 3;
      values.put(id, v);
      sql.append(i == 0 ? "" : ", ").append('(').append(id).append(", ").append(v);
      sql.append(", '").append(name(id)).append("')");
    }
    return sql.toString();
  }

  private String update(Random random) {
    int modulus = 2 + random.nextInt(9);
    int rest = random.nextInt(modulus);
    int delta = 1 + random.nextInt(1000);
    values.replaceAll((id, v) -> v == null || id % modulus != rest ? v : Long.valueOf(v + delta));
    return "UPDATE t SET v = v + %d WHERE MOD(id, %d) = %d".formatted(delta, modulus, rest);
  }

  private String delete(Random random) {
    int modulus = 5 + random.nextInt(9);
    int rest = random.nextInt(modulus);
    values.keySet().removeIf(id -> id % modulus == rest);
    return "DELETE FROM t WHERE MOD(id, %d) = %d".formatted(modulus, rest);
  }
}
