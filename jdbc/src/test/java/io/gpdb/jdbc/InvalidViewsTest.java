package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random tables and views that are made, renamed and dropped beside a model, with rollbacks,
 * reopening, and files copied as a killed process would leave them. A table has one row with one
 * number, a view the sum of what it reads. Replays with {@code -Dgpdb.seed=}; more steps: {@code
 * -Dgpdb.steps=}.
 */
class InvalidViewsTest {
  private static final long SEED = Long.getLong("gpdb.seed", 1);
  private static final int STEPS = Integer.getInteger("gpdb.steps", 100);
  private static final List<String> NAMES = List.of("A", "B", "C", "D");

  /**
   * A table of one row, or a view.
   *
   * @param type BIGINT or INTEGER, as the relation was made
   * @param value of the table
   * @param hasN whether the table's column has the name that views read
   * @param reads what the view reads; null for a table
   */
  private record Relation(String type, int value, boolean hasN, @Nullable List<String> reads) {
    boolean isView() {
      return reads != null;
    }

    Relation reading(String from, String to) {
      List<String> renamed =
          Objects.requireNonNull(reads).stream()
              .map(name -> name.equals(from) ? to : name)
              .toList();
      return new Relation(type, value, hasN, renamed);
    }
  }

  @TempDir private Path directory;
  private Random random = new Random();
  private Path files = Path.of("");
  private @Nullable Connection connection;
  private Map<String, Relation> model = new TreeMap<>();
  private Map<String, Relation> committed = new TreeMap<>();
  private final List<String> done = new ArrayList<>();
  private int copies;

  static Stream<Long> seeds() {
    return Stream.of(SEED, SEED + 1, SEED + 2);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void aViewIsValidWhileWhatItReadsIsThere(long seed) throws SQLException {
    random = new Random(seed);
    files = directory.resolve("db");
    open();
    try {
      for (int i = 0; i < STEPS; i++) {
        step();
        compare();
      }
      connection().commit();
      assertThat(connection().unwrap(GpdbConnection.class).check()).isEmpty();
    } catch (SQLException e) {
      throw new AssertionError(String.join(";\n", done), e);
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
  }

  private void step() throws SQLException {
    switch (random.nextInt(20)) {
      case 0 -> {
        done.add("ROLLBACK");
        connection().rollback();
        model = new TreeMap<>(committed);
      }
      case 1, 2 -> {
        done.add("COMMIT");
        connection().commit();
        committed = new TreeMap<>(model);
      }
      case 3 -> reopen();
      case 4, 5, 6, 7 -> createTable(mostly(false));
      case 8, 9, 10, 11 -> createView(mostly(random.nextInt(4) == 0));
      case 12, 13 -> rename(mostly(true), mostly(false));
      case 14 -> addColumn(mostly(true));
      default -> drop(mostly(true));
    }
  }

  private String any() {
    return NAMES.get(random.nextInt(NAMES.size()));
  }

  /** Mostly the name of a relation that is there, or of none. */
  private String mostly(boolean there) {
    List<String> names = NAMES.stream().filter(name -> model.containsKey(name) == there).toList();
    return names.isEmpty() || random.nextInt(8) == 0
        ? any()
        : names.get(random.nextInt(names.size()));
  }

  private void reopen() throws SQLException {
    Path copy = files;
    if (random.nextBoolean()) {
      done.add("close and open");
    } else {
      done.add("kill and open");
      copy = directory.resolve("copy" + copies++);
      CopiedFiles.copy(files, copy);
    }
    connection().rollback();
    connection().close();
    files = copy;
    model = new TreeMap<>(committed);
    open();
  }

  private void createTable(String name) throws SQLException {
    Relation table =
        new Relation(
            random.nextBoolean() ? "INTEGER" : "BIGINT",
            random.nextInt(100),
            random.nextInt(4) > 0,
            null);
    if (run(
        "CREATE TABLE " + name + " (" + (table.hasN() ? "n " : "other ") + table.type() + ")",
        model.containsKey(name) ? "42S01" : null)) {
      run("INSERT INTO " + name + " VALUES (" + table.value() + ")", null);
      model.put(name, table);
    }
  }

  private void createView(String name) throws SQLException {
    Set<String> reads = new LinkedHashSet<>(List.of(mostly(true)));
    if (random.nextBoolean()) {
      reads.add(mostly(true));
    }
    List<String> read = List.copyOf(reads);
    boolean two = read.size() == 2;
    boolean replace = random.nextBoolean();
    Relation view = new Relation("", 0, true, read);
    String broken = broken(view);
    if (run(
        "CREATE "
            + (replace ? "OR REPLACE " : "")
            + "VIEW "
            + name
            + " AS SELECT "
            + (two ? "x.n + y.n" : "x.n")
            + " AS n FROM "
            + read.getFirst()
            + " AS x"
            + (two ? ", " + read.getLast() + " AS y" : ""),
        broken != null ? broken : refused(name, view, replace))) {
      model.put(name, new Relation(type(view), 0, true, read));
    }
  }

  /** Why a view that could be read is not made. */
  private @Nullable String refused(String name, Relation view, boolean replace) {
    Relation old = model.get(name);
    if (old != null && (!replace || !old.isView())) {
      return "42S01";
    }
    if (Objects.requireNonNull(view.reads()).stream()
        .anyMatch(read -> read.equals(name) || allReaders(name).contains(read))) {
      return "42000";
    }
    return old != null && !old.type().equals(type(view)) && hasValidReader(name) ? "2BP01" : null;
  }

  private void rename(String name, String to) throws SQLException {
    Relation relation = model.get(name);
    if (relation == null || name.equals(to)) {
      return;
    }
    String state = null;
    if (model.containsKey(to)) {
      state = "42S01";
    } else if (relation.isView() && readsAny(relation, to)) {
      state = "42000";
    }
    if (run(
        "ALTER " + (relation.isView() ? "VIEW " : "TABLE ") + name + " RENAME TO " + to, state)) {
      model.remove(name);
      model.put(to, relation);
      model.replaceAll((_, reader) -> reader.isView() ? reader.reading(name, to) : reader);
    }
  }

  private boolean readsAny(Relation view, String name) {
    return Objects.requireNonNull(view.reads()).stream()
        .anyMatch(read -> read.equals(name) || allReaders(name).contains(read));
  }

  /** Gives a table the column that views read; it may have been missing. */
  private void addColumn(String name) throws SQLException {
    Relation table = model.get(name);
    if (table != null
        && !table.isView()
        && !table.hasN()
        && run("ALTER TABLE " + name + " ADD COLUMN n BIGINT DEFAULT 5", null)) {
      model.put(name, new Relation("BIGINT", 5, true, null));
    }
  }

  private void drop(String name) throws SQLException {
    Relation relation = model.get(name);
    boolean view = (relation != null && relation.isView()) ^ random.nextInt(6) == 0;
    String behavior = List.of("", "", "", "", " RESTRICT", " CASCADE").get(random.nextInt(6));
    Set<String> readers = allReaders(name);
    String state = null;
    if (relation == null) {
      state = "42S02";
    } else if (relation.isView() != view) {
      state = "42809";
    } else if (behavior.equals(" RESTRICT") && !readers.isEmpty()) {
      state = "2BP01";
    }
    if (run("DROP " + (view ? "VIEW " : "TABLE ") + name + behavior, state)) {
      model.remove(name);
      if (behavior.equals(" CASCADE")) {
        readers.forEach(model::remove);
      }
    }
  }

  /** Runs a statement that should fail with that state, or succeed where it is null. */
  private boolean run(String sql, @Nullable String state) {
    done.add(sql + (state == null ? "" : " -- " + state));
    String found = null;
    try {
      TestDatabase.execute(connection(), sql);
    } catch (SQLException e) {
      found = e.getSQLState();
    }
    assertThat(found).as(String.join(";\n", done)).isEqualTo(state);
    return state == null;
  }

  private Set<String> allReaders(String name) {
    Set<String> found = new LinkedHashSet<>();
    List<String> open = new ArrayList<>(List.of(name));
    while (!open.isEmpty()) {
      String next = open.removeFirst();
      model.forEach(
          (reader, relation) -> {
            if (relation.isView()
                && Objects.requireNonNull(relation.reads()).contains(next)
                && found.add(reader)) {
              open.add(reader);
            }
          });
    }
    return found;
  }

  private boolean hasValidReader(String name) {
    return model.values().stream()
        .anyMatch(
            relation ->
                relation.isView()
                    && Objects.requireNonNull(relation.reads()).contains(name)
                    && broken(relation) == null);
  }

  /**
   * The state of the first error that reading it raises, where it does: what FROM names comes
   * before the columns of what it names.
   */
  private @Nullable String broken(Relation relation) {
    if (!relation.isView()) {
      return null;
    }
    List<String> reads = Objects.requireNonNull(relation.reads());
    for (String read : reads) {
      Relation from = model.get(read);
      String state = from == null ? "42S02" : broken(from);
      if (state != null) {
        return state;
      }
    }
    return reads.stream().map(model::get).allMatch(this::hasN) ? null : "42S22";
  }

  private boolean hasN(@Nullable Relation relation) {
    return relation != null && (relation.isView() || relation.hasN());
  }

  private int value(Relation relation) {
    return relation.isView()
        ? Objects.requireNonNull(relation.reads()).stream()
            .mapToInt(read -> value(Objects.requireNonNull(model.get(read))))
            .sum()
        : relation.value();
  }

  private String type(Relation relation) {
    return relation.isView()
        ? Objects.requireNonNull(relation.reads()).stream()
            .map(read -> type(Objects.requireNonNull(model.get(read))))
            .reduce((a, b) -> a.equals("BIGINT") ? a : b)
            .orElseThrow()
        : relation.type();
  }

  private void compare() throws SQLException {
    describeAnew();
    List<String> listed = new ArrayList<>();
    List<String> expected = new ArrayList<>();
    model.forEach(
        (name, relation) ->
            expected.add(name + (relation.isView() ? " VIEW " : " TABLE ") + relation.type()));
    try (ResultSet tables =
        connection().getMetaData().getTables(null, "PUBLIC", "_", new String[] {"TABLE", "VIEW"})) {
      while (tables.next()) {
        String name = tables.getString("TABLE_NAME");
        try (ResultSet columns =
            connection().getMetaData().getColumns(null, "PUBLIC", name, "N%")) {
          listed.add(
              name
                  + " "
                  + tables.getString("TABLE_TYPE")
                  + " "
                  + (columns.next() ? columns.getString("TYPE_NAME") : ""));
        }
      }
    }
    listed.sort(null);
    assertThat(listed)
        .as(String.join(";\n", done))
        .isEqualTo(
            expected.stream().map(line -> lacksN(line) ? line.substring(0, 8) : line).toList());
    for (Map.Entry<String, Relation> each : model.entrySet()) {
      assertThat(answer(each.getKey(), each.getValue().hasN()))
          .as(each.getKey() + " after\n" + String.join(";\n", done))
          .isEqualTo(
              broken(each.getValue()) == null && each.getValue().hasN()
                  ? String.valueOf(value(each.getValue()))
                  : each.getValue().hasN() ? broken(each.getValue()) : "other");
    }
  }

  private boolean lacksN(String line) {
    return !Objects.requireNonNull(model.get(line.substring(0, 1))).hasN();
  }

  /** A view that is valid has the type of its query, one that is not that which it had last. */
  private void describeAnew() {
    model.replaceAll(
        (_, relation) ->
            relation.isView() && broken(relation) == null
                ? new Relation(type(relation), 0, true, relation.reads())
                : relation);
  }

  private String answer(String name, boolean hasN) {
    try (Statement statement = connection().createStatement();
        ResultSet rows = statement.executeQuery("SELECT " + (hasN ? "n" : "*") + " FROM " + name)) {
      rows.next();
      return hasN ? rows.getString("N") : "other";
    } catch (SQLException e) {
      return e.getSQLState();
    }
  }
}
