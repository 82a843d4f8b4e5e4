package io.gpdb.jdbc.constraints;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.jdbc.CopiedFiles;
import io.gpdb.jdbc.constraints.ModelSchema.Action;
import io.gpdb.jdbc.constraints.ModelSchema.ForeignKey;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random foreign keys among three tables (composite, to the table itself, in circles, with all
 * actions, deferred or not), CHECK and NOT NULL, and random changes beside a model that looks at
 * all rows after each, through savepoints, rollbacks, reopening and kills. {@code -Dgpdb.seed=S}
 * replays one history, {@code -Dgpdb.fuzz=N} runs N of them.
 */
class ConstraintHistoriesTest {
  private static final int STEPS = 50;
  private static final int TABLES = 3;

  @TempDir Path directory;

  private final List<String> done = new ArrayList<>();
  private final List<ForeignKey> foreignKeys = new ArrayList<>();
  private Random random = new Random();
  private ModelSchema schema = new ModelSchema(0, List.of());
  private ModelSchema committed = schema;
  private ModelSchema saved = schema;
  private Set<String> deferred = new LinkedHashSet<>();
  private @Nullable Savepoint savepoint;
  private @Nullable Connection connection;
  private @Nullable Path files;
  private int copies;

  static LongStream seeds() {
    Long given = Long.getLong("gpdb.seed");
    return given == null
        ? LongStream.rangeClosed(1, Integer.getInteger("gpdb.fuzz", 25))
        : LongStream.of(given);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void constraintsHoldAsInTheModel(long seed) throws SQLException {
    random = new Random(seed);
    done.add("seed " + seed);
    files = seed % 5 == 0 ? directory.resolve("d") : null;
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
    begin();
  }

  private void begin() {
    savepoint = null;
    deferred = new LinkedHashSet<>();
    foreignKeys.stream().filter(ForeignKey::deferred).forEach(fk -> deferred.add(fk.name()));
  }

  private void execute(String sql) throws SQLException {
    done.add(sql);
    try (Statement statement = connection().createStatement()) {
      statement.execute(sql);
    }
  }

  private void create() throws SQLException {
    for (int t = 0; t < TABLES; t++) {
      execute(
          "CREATE TABLE t%d (id INTEGER PRIMARY KEY, k1 INTEGER, k2 INTEGER, r1 INTEGER DEFAULT 1, r2 INTEGER DEFAULT 2, s INTEGER DEFAULT 1 CONSTRAINT small CHECK (s < %d), UNIQUE (k1, k2))"
              .formatted(t, ModelSchema.S_LIMIT));
    }
    List<int[]> referring =
        List.of(ModelSchema.SINGLE, ModelSchema.PAIR, ModelSchema.PRIMARY, ModelSchema.UNIQUE);
    for (int t = 0; t < TABLES; t++) {
      for (int[] columns : referring) {
        boolean keys = columns == ModelSchema.PRIMARY || columns == ModelSchema.UNIQUE;
        if (random.nextInt(keys ? 6 : 2) == 0) {
          addForeignKey(t, columns);
        }
      }
    }
    createIndexes();
    connection().commit();
    schema = new ModelSchema(TABLES, foreignKeys);
    committed = schema.copy();
    begin();
  }

  /** By which children may be found. */
  private void createIndexes() throws SQLException {
    String[] shapes = {"(s)", "(s DESC, id)", "(r1, r2)", "(r2, r1 DESC, s)", "(r1)", "(k2, k1)"};
    for (int t = 0; t < TABLES; t++) {
      while (random.nextBoolean()) {
        String using = random.nextInt(3) == 0 ? " USING HASH" : "";
        execute("CREATE INDEX ON t" + t + " " + shapes[random.nextInt(shapes.length)] + using);
      }
    }
  }

  private void addForeignKey(int child, int[] columns) throws SQLException {
    boolean deferrable = random.nextInt(3) == 0;
    ForeignKey fk =
        new ForeignKey(
            "F" + foreignKeys.size(),
            child,
            columns,
            random.nextInt(TABLES),
            columns.length == 1 ? ModelSchema.PRIMARY : ModelSchema.UNIQUE,
            Action.values()[random.nextInt(5)],
            Action.values()[random.nextInt(5)],
            deferrable,
            deferrable && random.nextBoolean(),
            columns.length > 1 && random.nextBoolean());
    foreignKeys.add(fk);
    execute(
        "ALTER TABLE t%d ADD CONSTRAINT %s FOREIGN KEY (%s) REFERENCES t%d (%s)%s ON DELETE %s ON UPDATE %s%s%s"
            .formatted(
                child,
                fk.name(),
                names(columns),
                fk.parent(),
                names(fk.parentColumns()),
                fk.matchesFull() ? " MATCH FULL" : "",
                fk.onDelete().sql(),
                fk.onUpdate().sql(),
                deferrable ? " DEFERRABLE" : "",
                fk.deferred() ? " INITIALLY DEFERRED" : ""));
  }

  private static String names(int[] columns) {
    return String.join(", ", Arrays.stream(columns).mapToObj(ModelSchema.COLUMNS::get).toList());
  }

  private void step() throws SQLException {
    switch (random.nextInt(22)) {
      case 0 -> {
        done.add("ROLLBACK");
        connection().rollback();
        schema = committed.copy();
        begin();
      }
      case 1, 2, 3 -> commit();
      case 4 -> {
        done.add("SAVEPOINT");
        savepoint = connection().setSavepoint();
        saved = schema.copy();
      }
      case 5 -> {
        if (savepoint != null) {
          done.add("ROLLBACK TO");
          connection().rollback(savepoint);
          schema = saved.copy();
        }
      }
      case 6 -> reopen();
      case 7 -> setConstraints();
      case 8, 9, 10 -> delete();
      case 11, 12, 13, 14 -> update();
      case 15 -> insert(true);
      default -> insert(false);
    }
  }

  private void commit() throws SQLException {
    Set<String> broken = schema.broken(fk -> true);
    done.add("COMMIT -- " + broken);
    try {
      connection().commit();
      assertThat(broken).as(told()).isEmpty();
      committed = schema.copy();
    } catch (SQLException e) {
      refused(e, Set.of("23503"), broken);
      connection().rollback();
      schema = committed.copy();
    }
    begin();
  }

  private void refused(SQLException e, Set<String> states, Set<String> broken) {
    String message = String.valueOf(e.getMessage());
    boolean named =
        switch (String.valueOf(e.getSQLState())) {
          case "23503" -> broken.stream().anyMatch(message::contains) && message.contains("(");
          case "23514" -> message.contains("SMALL") && message.contains("row");
          case "23502" -> message.contains("ID");
          default -> true;
        };
    if (!states.contains(e.getSQLState()) || !named) {
      throw new AssertionError(told() + "\n" + broken, e);
    }
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
    schema = committed.copy();
    open();
  }

  private void setConstraints() throws SQLException {
    boolean defer = random.nextInt(3) > 0;
    List<ForeignKey> able = foreignKeys.stream().filter(ForeignKey::deferrable).toList();
    if (able.isEmpty()) {
      return;
    }
    ForeignKey one = able.get(random.nextInt(able.size()));
    boolean all = random.nextBoolean();
    String sql =
        "SET CONSTRAINTS " + (all ? "ALL" : one.name()) + (defer ? " DEFERRED" : " IMMEDIATE");
    Set<String> names = new LinkedHashSet<>();
    able.stream().filter(fk -> all || fk == one).forEach(fk -> names.add(fk.name()));
    Set<String> broken = schema.broken(fk -> !defer && names.contains(fk.name()));
    done.add(sql + " -- " + broken);
    try (Statement statement = connection().createStatement()) {
      statement.execute(sql);
      assertThat(broken).as(told()).isEmpty();
      if (defer) {
        deferred.addAll(names);
      } else {
        deferred.removeAll(names);
      }
    } catch (SQLException e) {
      refused(e, Set.of("23503"), broken);
    }
  }

  private @Nullable Integer value(int column) {
    if (column == ModelSchema.ID) {
      return random.nextInt(60) == 0 ? null : (Integer) random.nextInt(6);
    }
    return random.nextInt(4) == 0
        ? null
        : (Integer) random.nextInt(column == ModelSchema.S ? 6 : 3);
  }

  private void insert(boolean replace) throws SQLException {
    int t = random.nextInt(TABLES);
    List<@Nullable Integer[]> rows = new ArrayList<>();
    for (int i = 0, n = 1 + random.nextInt(3); i < n; i++) {
      @Nullable Integer[] row = new @Nullable Integer[ModelSchema.COLUMNS.size()];
      for (int c = 0; c < row.length; c++) {
        row[c] = c > 2 && random.nextInt(3) == 0 ? null : value(c);
      }
      rows.add(row);
    }
    String values =
        String.join(
            ", ",
            rows.stream()
                .map(r -> Arrays.toString(r).replace('[', '(').replace(']', ')'))
                .toList());
    run(
        (replace ? "REPLACE INTO t" : "INSERT INTO t") + t + " VALUES " + values,
        change ->
            rows.forEach(
                row -> {
                  if (replace) {
                    change.replace(t, row.clone());
                  } else {
                    change.insert(t, row.clone());
                  }
                }));
  }

  /** Rows of a table where a column is less than, or equals, a value. */
  private record Where(int column, int value, boolean equal) {
    boolean holds(@Nullable Integer[] row) {
      Integer found = row[column];
      return found != null && (equal ? found == value : found < value);
    }

    String sql() {
      return " WHERE " + ModelSchema.COLUMNS.get(column) + (equal ? " = " : " < ") + value;
    }
  }

  private Where where() {
    int column = random.nextBoolean() ? 0 : random.nextInt(ModelSchema.COLUMNS.size());
    return new Where(column, random.nextInt(6), random.nextBoolean());
  }

  private void delete() throws SQLException {
    int t = random.nextInt(TABLES);
    Where where = where();
    run(
        "DELETE FROM t" + t + where.sql(),
        change ->
            schema.tables.get(t).stream()
                .filter(where::holds)
                .toList()
                .forEach(
                    row -> {
                      change.delete(t, row);
                      change.count++;
                    }));
  }

  private void update() throws SQLException {
    int t = random.nextInt(TABLES);
    Where where = where();
    int column = random.nextInt(ModelSchema.COLUMNS.size());
    String name = ModelSchema.COLUMNS.get(column);
    @Nullable Integer value = value(column);
    boolean turned = random.nextInt(3) == 0;
    int sum = random.nextInt(7);
    run(
        "UPDATE t%d SET %s = %s%s"
            .formatted(t, name, turned ? sum + " - " + name : "" + value, where.sql()),
        change -> {
          for (@Nullable Integer[] row : schema.tables.get(t)) {
            if (where.holds(row)) {
              @Nullable Integer old = row[column];
              change.update(
                  t, row, column, !turned ? value : old == null ? null : (Integer) (sum - old));
              change.count++;
              change.lookForRepeats(t);
            }
          }
        });
  }

  private void run(String sql, Consumer<ModelSchema.Change> effect) throws SQLException {
    ModelSchema before = schema;
    schema = before.copy();
    ModelSchema.Change change = schema.new Change();
    effect.accept(change);
    change.end(deferred);
    if (change.endless) {
      schema = before;
      return;
    }
    done.add(sql + " -- " + change.mustFail + change.mayFail);
    try (Statement statement = connection().createStatement()) {
      long count = statement.executeUpdate(sql);
      assertThat(change.mustFail).as(told()).isEmpty();
      assertThat(count).as(told()).isEqualTo(change.count);
    } catch (SQLException e) {
      Set<String> states = new LinkedHashSet<>(change.mustFail);
      states.addAll(change.mayFail);
      refused(e, states, change.broken);
      schema = before;
    }
  }

  private void compare() throws SQLException {
    for (int t : IntStream.range(0, TABLES).toArray()) {
      try (Statement statement = connection().createStatement();
          ResultSet rows = statement.executeQuery("SELECT * FROM t" + t)) {
        List<String> found = new ArrayList<>();
        while (rows.next()) {
          List<String> row = new ArrayList<>();
          for (int c = 1; c <= ModelSchema.COLUMNS.size(); c++) {
            row.add(String.valueOf(rows.getString(c)));
          }
          found.add(String.join("|", row));
        }
        assertThat(found.stream().sorted().toList())
            .as(told() + "\nt" + t)
            .isEqualTo(schema.texts(t));
      }
    }
  }

  private String told() {
    return String.join(";\n", done);
  }
}
