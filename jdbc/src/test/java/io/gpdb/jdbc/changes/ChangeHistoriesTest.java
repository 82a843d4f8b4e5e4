package io.gpdb.jdbc.changes;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.jdbc.CopiedFiles;
import java.nio.file.Path;
import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random histories of upserts, MERGE, UPDATE … FROM, DELETE … USING and RETURNING beside a model
 * that does them row by row: states, counts, returned rows and what is there afterwards are the
 * same, through savepoints, rollbacks, reopening and kills. {@code -Dgpdb.seed=S} replays one
 * history, {@code -Dgpdb.fuzz=N} runs N of them.
 */
class ChangeHistoriesTest {
  private static final int STEPS = 40;

  @TempDir Path directory;

  private final List<String> done = new ArrayList<>();
  private Random random = new Random();
  private ModelTable table = new ModelTable(List.of(), 0);
  private ModelTable committed = table;
  private @Nullable ModelTable saved;
  private @Nullable Savepoint savepoint;
  private List<@Nullable Object[]> source = new ArrayList<>();
  private List<@Nullable Object[]> committedSource = source;
  private List<@Nullable Object[]> savedSource = source;
  private @Nullable Connection connection;
  private @Nullable Path files;
  private int domain;
  private int copies;

  static LongStream seeds() {
    Long given = Long.getLong("gpdb.seed");
    return given == null
        ? LongStream.rangeClosed(1, Integer.getInteger("gpdb.fuzz", 25))
        : LongStream.of(given);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void changesDoWhatTheModelDoes(long seed) throws SQLException {
    random = new Random(seed);
    done.add("seed " + seed);
    files = seed % 5 == 0 ? directory.resolve("d") : null;
    domain = new int[] {3, 6, 12, 400}[random.nextInt(4)];
    open();
    create();
    for (int i = 0; i < STEPS; i++) {
      step();
      compare();
    }
    connection().close();
  }

  private Connection connection() {
    return Objects.requireNonNull(connection);
  }

  private void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:gpdb:" + (files == null ? "mem:" : files));
    connection().setAutoCommit(false);
    savepoint = null;
  }

  private void create() throws SQLException {
    List<int[]> all = List.of(new int[] {1}, new int[] {2, 3}, new int[] {1, 2}, new int[] {3});
    List<int[]> keys = new ArrayList<>(List.of(new int[] {0}));
    StringBuilder clauses = new StringBuilder();
    for (int[] key : all) {
      if (random.nextInt(4) == 0) {
        keys.add(key);
        clauses.append(", UNIQUE (").append(ModelChange.names(key)).append(")");
      }
    }
    table = new ModelTable(keys, random.nextBoolean() ? domain : 1 << 30);
    execute(
        "CREATE TABLE t (id INTEGER PRIMARY KEY, a INTEGER, b VARCHAR(9), c INTEGER DEFAULT 7 CHECK (c <= "
            + table.limit
            + ")"
            + clauses
            + ")");
    execute("CREATE TABLE s (k INTEGER, x INTEGER, y VARCHAR(9), z INTEGER, n INTEGER)");
    if (random.nextInt(3) == 0) {
      execute("CREATE INDEX i ON t (" + (random.nextBoolean() ? "c" : "b DESC, a") + ")");
    }
    connection().commit();
    committed = table.copy();
  }

  private void execute(String sql) throws SQLException {
    done.add(sql);
    try (Statement statement = connection().createStatement()) {
      statement.execute(sql);
    }
  }

  private void step() throws SQLException {
    switch (random.nextInt(20)) {
      case 0 -> {
        done.add("ROLLBACK");
        connection().rollback();
        forget();
      }
      case 1, 2 -> {
        done.add("COMMIT");
        connection().commit();
        committed = table.copy();
        committedSource = source;
        savepoint = null;
      }
      case 3 -> {
        done.add("SAVEPOINT");
        savepoint = connection().setSavepoint();
        saved = table.copy();
        savedSource = source;
      }
      case 4 -> {
        if (savepoint != null) {
          done.add("ROLLBACK TO");
          connection().rollback(savepoint);
          table = Objects.requireNonNull(saved).copy();
          source = savedSource;
        }
      }
      case 5 -> reopen();
      case 6, 7 -> fillSource();
      case 8, 9, 10 -> batch();
      default -> change();
    }
  }

  private void forget() {
    table = committed.copy();
    source = committedSource;
    savepoint = null;
  }

  private void reopen() throws SQLException {
    if (files == null) {
      return;
    }
    if (random.nextBoolean()) {
      done.add("kill and open");
      Path copy = directory.resolve("copy" + copies++);
      CopiedFiles.copy(files, copy);
      connection().rollback();
      connection().close();
      files = copy;
    } else {
      done.add("close and open");
      connection().rollback();
      connection().close();
    }
    forget();
    open();
  }

  private void fillSource() throws SQLException {
    execute("DELETE FROM s");
    source = new ArrayList<>();
    Scope.Maker maker = new Scope.Maker(random, domain, null, null, List.of());
    int n = domain > 100 ? random.nextInt(300) : random.nextInt(6);
    for (int i = 0; i < n; i++) {
      @Nullable Object[] row = new @Nullable Object[4];
      for (int c = 0; c < 4; c++) {
        row[c] = maker.value(c);
      }
      source.add(row);
    }
    if (n > 0) {
      StringBuilder sql = new StringBuilder("INSERT INTO s VALUES ");
      for (int i = 0; i < n; i++) {
        sql.append(i == 0 ? "(" : ", (");
        for (Object value : source.get(i)) {
          sql.append(Scope.sql(value)).append(", ");
        }
        sql.append(i).append(")");
      }
      execute(sql.toString());
    }
  }

  private void change() throws SQLException {
    RandomChange change = RandomChange.of(random, domain, table, source);
    ModelChange model = new ModelChange(table);
    change.effect().accept(model);
    model.end();
    boolean returning = random.nextInt(3) == 0;
    String sql = change.sql() + (returning ? " RETURNING *" : "");
    done.add(sql + " -- " + model.mustFail + model.mayFail);
    try (Statement statement = connection().createStatement()) {
      if (returning) {
        List<String> rows;
        try (ResultSet result = statement.executeQuery(sql)) {
          rows = rows(result);
        }
        succeeded(model);
        assertThat(rows).as(told()).isEqualTo(ModelTable.texts(model.returned));
      } else {
        long count = statement.executeUpdate(sql);
        succeeded(model);
        assertThat(count).as(told()).isEqualTo(model.count);
      }
    } catch (SQLException e) {
      failed(model, e);
    }
  }

  private void succeeded(ModelChange model) {
    assertThat(model.mustFail).as(told()).isEmpty();
    table = model.table;
  }

  private void failed(ModelChange model, SQLException e) {
    if (!model.mustFail.contains(e.getSQLState()) && !model.mayFail.contains(e.getSQLState())) {
      throw new AssertionError(told(), e);
    }
  }

  /** Rows of one statement with parameters: one after the other, all or none. */
  private void batch() throws SQLException {
    BatchedChange batch = BatchedChange.of(random, domain, table);
    ModelChange model = new ModelChange(table);
    done.add("batch " + batch.sql());
    List<Long> counts = new ArrayList<>();
    boolean keys = batch.inserts() && random.nextInt(3) == 0;
    try (PreparedStatement statement =
        keys
            ? connection().prepareStatement(batch.sql(), new String[] {"id", "a", "b", "c"})
            : connection().prepareStatement(batch.sql())) {
      for (@Nullable Object[] values : batch.rows()) {
        long before = model.count;
        batch.effect().accept(model, values);
        model.step();
        counts.add(model.count - before);
        done.add("  " + Arrays.toString(values));
        for (int i = 0; i < values.length; i++) {
          statement.setObject(i + 1, values[i]);
        }
        statement.addBatch();
      }
      model.end();
      done.add("  -- " + model.mustFail + model.mayFail);
      long[] found = statement.executeLargeBatch();
      succeeded(model);
      assertThat(found).as(told()).containsExactly(counts.stream().mapToLong(n -> n).toArray());
      if (keys) {
        try (ResultSet generated = statement.getGeneratedKeys()) {
          assertThat(rows(generated)).as(told()).isEqualTo(ModelTable.texts(model.returned));
        }
      }
    } catch (BatchUpdateException e) {
      failed(model, e);
    }
  }

  private void compare() throws SQLException {
    try (Statement statement = connection().createStatement();
        ResultSet rows = statement.executeQuery("SELECT id, a, b, c FROM t")) {
      assertThat(rows(rows)).as(told()).isEqualTo(table.texts());
    }
  }

  private static List<String> rows(ResultSet rows) throws SQLException {
    List<String> all = new ArrayList<>();
    while (rows.next()) {
      all.add(
          String.join(
              "|",
              rows.getString(1) + "",
              rows.getString(2) + "",
              rows.getString(3) + "",
              rows.getString(4) + ""));
    }
    return all.stream().sorted().toList();
  }

  private String told() {
    return String.join(";\n", done);
  }
}
