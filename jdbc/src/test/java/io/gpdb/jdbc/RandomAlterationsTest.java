package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.jdbc.AlterationModel.Column;
import io.gpdb.jdbc.AlterationModel.Key;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random statements that alter a table, make and drop its indexes and change its rows, beside a
 * model, with rollbacks, reopening, and files copied as a killed process would leave them. Replays
 * with {@code -Dgpdb.seed=}; more steps: {@code -Dgpdb.alterations=}.
 */
class RandomAlterationsTest {
  private static final long SEED = Long.getLong("gpdb.seed", 1);
  private static final int STEPS = Integer.getInteger("gpdb.alterations", 120);

  @TempDir private Path directory;
  private Random random = new Random();
  private Path files = Path.of("");
  private @Nullable Connection connection;
  private AlterationModel model = new AlterationModel();
  private AlterationModel committed = new AlterationModel();
  private @Nullable Savepoint savepoint;
  private AlterationModel atSavepoint = new AlterationModel();
  private final List<String> done = new ArrayList<>();
  private int names;
  private int copies;

  static Stream<Long> seeds() {
    return Stream.of(SEED, SEED + 1, SEED + 2);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void theTableIsWhatTheModelSays(long seed) throws SQLException {
    random = new Random(seed);
    files = directory.resolve("db");
    open();
    run("CREATE TABLE t (id INTEGER PRIMARY KEY)", null);
    commit();
    try {
      for (int i = 0; i < STEPS; i++) {
        step();
        compare(seed);
      }
    } finally {
      connection().close();
    }
  }

  private Connection connection() {
    return Objects.requireNonNull(connection);
  }

  private void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:gpdb:" + files);
    connection().setAutoCommit(false);
    savepoint = null;
  }

  private void commit() throws SQLException {
    connection().commit();
    committed = model.copy();
    savepoint = null;
  }

  private void step() throws SQLException {
    switch (random.nextInt(24)) {
      case 0 -> rollback();
      case 1, 2 -> {
        done.add("COMMIT");
        commit();
      }
      case 3 -> {
        done.add("SAVEPOINT");
        savepoint = connection().setSavepoint();
        atSavepoint = model.copy();
      }
      case 4 -> rollbackToSavepoint();
      case 5 -> reopen();
      case 6 -> maintain();
      case 7, 8 -> addColumn();
      case 9 -> dropColumn();
      case 10 -> renameColumn();
      case 11 -> setNotNull();
      case 12 -> setType();
      case 13, 14 -> addKey();
      case 15 -> dropKey();
      case 16 -> delete();
      case 17, 18 -> update();
      default -> insert();
    }
  }

  private void rollback() throws SQLException {
    done.add("ROLLBACK");
    connection().rollback();
    model = committed.copy();
    savepoint = null;
  }

  private void rollbackToSavepoint() throws SQLException {
    if (savepoint != null) {
      done.add("ROLLBACK TO");
      connection().rollback(savepoint);
      model = atSavepoint.copy();
    }
  }

  /** Closes and opens, or opens a copy of the files, in which the open transaction never was. */
  private void reopen() throws SQLException {
    if (random.nextBoolean()) {
      done.add("close and open");
      connection().rollback();
      connection().close();
    } else {
      done.add("kill and open");
      Path copy = directory.resolve("copy" + copies++);
      CopiedFiles.copy(files, copy);
      connection().rollback();
      connection().close();
      files = copy;
    }
    model = committed.copy();
    open();
  }

  private void maintain() throws SQLException {
    run(List.of("CHECKPOINT", "VACUUM t", "ANALYZE t").get(random.nextInt(3)), null);
  }

  /** Runs a statement that should fail with that state, or succeed where it is null. */
  private void run(String sql, @Nullable String state) throws SQLException {
    done.add(sql + (state == null ? "" : " -- " + state));
    String found = null;
    try {
      TestDatabase.execute(connection(), sql);
    } catch (SQLException e) {
      if (!Objects.equals(e.getSQLState(), state)) {
        throw new AssertionError(String.join(";\n", done), e);
      }
      found = e.getSQLState();
    }
    assertThat(found).as(String.join(";\n", done)).isEqualTo(state);
  }

  /** Runs a statement that makes the model such; where it breaks something, it should fail. */
  private void become(AlterationModel next, String sql) throws SQLException {
    String state = next.broken();
    run(sql, state);
    if (state == null) {
      model = next;
    }
  }

  private @Nullable String value(Column column) {
    if (random.nextInt(5) == 0) {
      return null;
    }
    return column.isText() && random.nextBoolean()
        ? "v" + random.nextInt(30)
        : String.valueOf(random.nextInt(30));
  }

  private @Nullable Column anyColumn() {
    List<Column> others = model.others();
    return others.isEmpty() ? null : others.get(random.nextInt(others.size()));
  }

  private void addColumn() throws SQLException {
    if (model.columns.size() > 7) {
      return;
    }
    String[] types = {"INTEGER", "BIGINT", "VARCHAR(12)"};
    String type = types[random.nextInt(types.length)];
    Column plain = new Column("C" + names++, type, random.nextInt(3) > 0, null);
    Column column =
        random.nextBoolean()
            ? plain
            : new Column(plain.name(), type, plain.nullable(), value(plain));
    AlterationModel next = model.copy();
    next.add(column);
    String defaultSql =
        column.defaultValue() == null ? "" : " DEFAULT " + column.literal(column.defaultValue());
    become(
        next,
        "ALTER TABLE t ADD COLUMN "
            + column.name()
            + " "
            + type
            + defaultSql
            + (column.nullable() ? "" : " NOT NULL"));
  }

  private void dropColumn() throws SQLException {
    Column column = anyColumn();
    if (column != null) {
      boolean cascade = random.nextBoolean();
      boolean refused = !cascade && model.isShared(column.name());
      run(
          "ALTER TABLE t DROP COLUMN " + column.name() + (cascade ? " CASCADE" : ""),
          refused ? "2BP01" : null);
      if (!refused) {
        model.drop(column);
      }
    }
  }

  private void renameColumn() throws SQLException {
    Column column = anyColumn();
    if (column != null) {
      String to = "C" + names++;
      run("ALTER TABLE t RENAME COLUMN " + column.name() + " TO " + to, null);
      model.rename(column, to);
    }
  }

  private void setNotNull() throws SQLException {
    Column column = anyColumn();
    if (column != null) {
      AlterationModel next = model.copy();
      next.replace(
          column,
          new Column(column.name(), column.type(), !column.nullable(), column.defaultValue()));
      become(
          next,
          "ALTER TABLE t ALTER COLUMN "
              + column.name()
              + (column.nullable() ? " SET NOT NULL" : " DROP NOT NULL"));
    }
  }

  private void setType() throws SQLException {
    Column column = anyColumn();
    if (column == null || column.isText()) {
      return;
    }
    String type = column.type().equals("INTEGER") ? "BIGINT" : "VARCHAR(12)";
    run("ALTER TABLE t ALTER COLUMN " + column.name() + " SET DATA TYPE " + type, null);
    model.replace(
        column, new Column(column.name(), type, column.nullable(), column.defaultValue()));
  }

  private void addKey() throws SQLException {
    Column first = anyColumn();
    Column second = anyColumn();
    if (first == null || second == null || model.keys.size() > 5) {
      return;
    }
    List<String> columns =
        first.equals(second) ? List.of(first.name()) : List.of(first.name(), second.name());
    String list = String.join(", ", columns);
    String name = "K" + names++;
    boolean constraint = random.nextBoolean();
    boolean unique = constraint || random.nextBoolean();
    AlterationModel next = model.copy();
    next.keys.put(name, new Key(constraint, unique, columns));
    become(
        next,
        constraint
            ? "ALTER TABLE t ADD CONSTRAINT " + name + " UNIQUE (" + list + ")"
            : "CREATE %sINDEX %s ON t (%s)%s"
                .formatted(
                    unique ? "UNIQUE " : "",
                    name,
                    list,
                    random.nextBoolean() ? " USING HASH" : ""));
  }

  private void dropKey() throws SQLException {
    List<String> all = List.copyOf(model.keys.keySet());
    if (!all.isEmpty()) {
      String name = all.get(random.nextInt(all.size()));
      boolean constraint = Objects.requireNonNull(model.keys.get(name)).constraint();
      run(constraint ? "ALTER TABLE t DROP CONSTRAINT " + name : "DROP INDEX " + name, null);
      model.keys.remove(name);
    }
  }

  private void insert() throws SQLException {
    AlterationModel next = model.copy();
    int id = random.nextInt(1000);
    if (model.rows.containsKey(id)) {
      run(
          "INSERT INTO t (id) VALUES (" + id + ")",
          model.others().stream().anyMatch(c -> !c.nullable() && c.defaultValue() == null)
              ? "23502"
              : "23505");
      return;
    }
    Map<String, @Nullable String> row = new LinkedHashMap<>();
    List<String> names = new ArrayList<>(List.of("ID"));
    List<String> values = new ArrayList<>(List.of(String.valueOf(id)));
    row.put("ID", String.valueOf(id));
    for (Column column : model.others()) {
      String value = column.defaultValue();
      if (random.nextInt(3) > 0) {
        value = value(column);
        names.add(column.name());
        values.add(column.literal(value));
      }
      row.put(column.name(), value);
    }
    next.rows.put(id, row);
    become(
        next,
        "INSERT INTO t (%s) VALUES (%s)"
            .formatted(String.join(", ", names), String.join(", ", values)));
  }

  private void update() throws SQLException {
    Column column = anyColumn();
    if (column != null) {
      int id = random.nextInt(1000);
      String value = value(column);
      AlterationModel next = model.copy();
      next.rows
          .tailMap(id)
          .forEach(
              (at, row) -> {
                if (at < id + 100) {
                  row.put(column.name(), value);
                }
              });
      become(
          next,
          "UPDATE t SET %s = %s WHERE id >= %d AND id < %d"
              .formatted(column.name(), column.literal(value), id, id + 100));
    }
  }

  private void delete() throws SQLException {
    int id = random.nextInt(1000);
    run("DELETE FROM t WHERE id >= " + id + " AND id < " + (id + 40), null);
    model.rows.subMap(id, id + 40).clear();
  }

  private void compare(long seed) throws SQLException {
    String steps = "seed " + seed + ":\n" + String.join(";\n", done);
    assertThat(TestDatabase.rows(connection(), "SELECT * FROM t ORDER BY id"))
        .as(steps)
        .isEqualTo(model.texts());
    Column column = anyColumn();
    String value = column == null ? null : value(column);
    if (column != null && value != null) {
      assertThat(
              TestDatabase.rows(
                  connection(),
                  "SELECT id FROM t WHERE %s = %s ORDER BY id"
                      .formatted(column.name(), column.literal(value))))
          .as(steps)
          .isEqualTo(model.idsWhere(column.name(), value));
    }
  }
}
