package io.gpdb.jdbc.constraints;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.jdbc.CopiedFiles;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Random changes of a table whose primary key, unique key, CHECK and foreign key are DEFERRABLE,
 * beside a model that looks at all rows after each: through SET CONSTRAINTS, savepoints, VACUUM,
 * reopening and kills. {@code -Dgpdb.seed=S} replays one history, {@code -Dgpdb.fuzz=N} runs N.
 */
class DeferredConstraintsTest {
  private static final int STEPS = 60;
  private static final List<String> NAMES = List.of("PK", "UQ", "CK", "FK");
  private static final Map<String, String> STATES =
      Map.of("PK", "23505", "UQ", "23505", "CK", "23514", "FK", "23503");

  @TempDir Path directory;

  private final List<String> done = new ArrayList<>();
  private final Set<String> initially = new TreeSet<>();
  private Random random = new Random();
  private State state = new State(List.of(), Set.of());
  private State committed = state;
  private State saved = state;
  private Set<String> deferred = new TreeSet<>();

  /** Violated constraints that a statement need not notice: a savepoint brought them back. */
  private Set<String> returned = new TreeSet<>();

  private @Nullable Savepoint savepoint;
  private @Nullable Connection connection;
  private @Nullable Path files;
  private int copies;

  /** A row of t: a is the primary key, (b, s) the unique one, b has parents, c is checked. */
  private record Row(int a, @Nullable Integer b, @Nullable String s, int c) {}

  /** The rows of t, and the parents of b. */
  private record State(List<Row> rows, Set<Integer> parents) {
    State {
      rows = List.copyOf(rows);
      parents = Set.copyOf(parents);
    }

    Set<String> violated() {
      Set<String> names = new TreeSet<>();
      Set<Integer> primary = new LinkedHashSet<>();
      Set<List<Object>> unique = new LinkedHashSet<>();
      for (Row row : rows) {
        Integer b = row.b();
        String s = row.s();
        if (!primary.add(row.a())) {
          names.add("PK");
        }
        if (b != null && s != null && !unique.add(List.of(b, s))) {
          names.add("UQ");
        }
        if (row.c() > 2) {
          names.add("CK");
        }
        if (b != null && !parents.contains(b)) {
          names.add("FK");
        }
      }
      return names;
    }
  }

  static LongStream seeds() {
    Long given = Long.getLong("gpdb.seed");
    return given == null
        ? LongStream.rangeClosed(1, Integer.getInteger("gpdb.fuzz", 30))
        : LongStream.of(given);
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void whatIsDeferredIsJudgedAtTheEnd(long seed) throws SQLException {
    random = new Random(seed);
    done.add("seed " + seed);
    files = seed % 6 == 0 ? directory.resolve("d") : null;
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
    deferred = new TreeSet<>(initially);
    returned = new TreeSet<>();
  }

  private void create() throws SQLException {
    Map<String, String> clauses = new LinkedHashMap<>();
    clauses.put("PK", "PRIMARY KEY (a)");
    clauses.put("UQ", "UNIQUE (b, s)");
    clauses.put("CK", "CHECK (c < 3)");
    clauses.put("FK", "FOREIGN KEY (b) REFERENCES p");
    clauses.replaceAll(
        (name, clause) -> {
          boolean later = random.nextBoolean();
          if (later) {
            initially.add(name);
          }
          return "CONSTRAINT %s %s DEFERRABLE%s"
              .formatted(name, clause, later ? " INITIALLY DEFERRED" : "");
        });
    execute("CREATE TABLE p (x INTEGER PRIMARY KEY)");
    String columns = "a INTEGER, b INTEGER, s VARCHAR(3), c INTEGER";
    if (random.nextBoolean()) {
      execute("CREATE TABLE t (" + columns + ", " + String.join(", ", clauses.values()) + ")");
    } else {
      execute("CREATE TABLE t (" + columns + ")");
      for (String clause : clauses.values()) {
        execute("ALTER TABLE t ADD " + clause);
      }
    }
    connection().commit();
    begin();
  }

  private void execute(String sql) throws SQLException {
    done.add(sql);
    try (Statement statement = connection().createStatement()) {
      statement.execute(sql);
    }
  }

  private void step() throws SQLException {
    switch (random.nextInt(20)) {
      case 0 -> rollBack();
      case 1, 2 -> commit();
      case 3 -> {
        done.add("SAVEPOINT");
        savepoint = connection().setSavepoint();
        saved = state;
      }
      case 4 -> rollBackToSavepoint();
      case 5, 6 -> detour();
      case 7, 8 -> setConstraints();
      case 9 -> vacuum();
      case 10 -> reopen();
      case 11, 12 -> parents();
      case 13, 14, 15 -> change("DELETE FROM t", row -> null);
      case 16, 17 -> update();
      default -> insert();
    }
  }

  private void rollBack() throws SQLException {
    done.add("ROLLBACK");
    connection().rollback();
    state = committed;
    begin();
  }

  private void rollBackToSavepoint() throws SQLException {
    if (savepoint != null) {
      done.add("ROLLBACK TO");
      connection().rollback(savepoint);
      state = saved;
      returned = state.violated();
      returned.removeAll(deferred);
    }
  }

  /** Everything is judged while no row is there, and the rows come back. */
  private void detour() throws SQLException {
    done.add("SAVEPOINT");
    savepoint = connection().setSavepoint();
    saved = state;
    change("DELETE FROM t", new State(List.of(), state.parents()));
    if (random.nextBoolean()) {
      setConstraints();
    } else {
      vacuum();
    }
    rollBackToSavepoint();
  }

  private void commit() throws SQLException {
    Set<String> violated = state.violated();
    done.add("COMMIT -- " + violated);
    try {
      connection().commit();
      assertThat(violated).as(told()).isEmpty();
      committed = state;
    } catch (SQLException e) {
      requireOne(e, violated);
      connection().rollback();
      state = committed;
    }
    begin();
  }

  private void setConstraints() throws SQLException {
    boolean defer = random.nextBoolean();
    Set<String> names = new LinkedHashSet<>();
    while (random.nextInt(3) > 0) {
      names.add(NAMES.get(random.nextInt(NAMES.size())));
    }
    Set<String> meant = names.isEmpty() ? Set.copyOf(NAMES) : names;
    Set<String> violated = defer ? Set.of() : new TreeSet<>(state.violated());
    if (!defer) {
      violated.retainAll(meant);
    }
    String of = names.isEmpty() ? "ALL" : String.join(", ", names);
    if (run("SET CONSTRAINTS " + of + (defer ? " DEFERRED" : " IMMEDIATE"), violated, Set.of())) {
      if (defer) {
        deferred.addAll(meant);
      } else {
        deferred.removeAll(meant);
        returned.removeAll(meant);
      }
    }
  }

  /** Rewrites the table, which is judged before. */
  private void vacuum() throws SQLException {
    run("VACUUM t", state.violated(), Set.of());
  }

  private void reopen() throws SQLException {
    if (files == null) {
      return;
    }
    boolean kill = random.nextBoolean();
    done.add(kill ? "kill and open" : "close and open");
    if (kill) {
      Path copy = directory.resolve("copy" + copies++);
      CopiedFiles.copy(files, copy);
      connection().rollback();
      connection().close();
      files = copy;
    } else {
      connection().rollback();
      connection().close();
    }
    state = committed;
    open();
  }

  private void parents() throws SQLException {
    int x = random.nextInt(3);
    Set<Integer> parents = new TreeSet<>(state.parents());
    boolean add = parents.add(x);
    if (!add) {
      parents.remove(x);
    }
    change(
        add ? "INSERT INTO p VALUES (" + x + ")" : "DELETE FROM p WHERE x = " + x,
        new State(state.rows(), parents));
  }

  private @Nullable Integer someB() {
    return random.nextInt(4) == 0 ? null : (Integer) random.nextInt(3);
  }

  private @Nullable String someS() {
    return random.nextInt(4) == 0 ? null : List.of("x", "y").get(random.nextInt(2));
  }

  private static String text(@Nullable String s) {
    return s == null ? "NULL" : "'" + s + "'";
  }

  private void insert() throws SQLException {
    List<Row> rows = new ArrayList<>(state.rows());
    List<String> values = new ArrayList<>();
    do {
      Row row = new Row(random.nextInt(5), someB(), someS(), random.nextInt(4));
      rows.add(row);
      values.add("(%d, %s, %s, %d)".formatted(row.a(), row.b(), text(row.s()), row.c()));
    } while (random.nextInt(3) == 0);
    change("INSERT INTO t VALUES " + String.join(", ", values), new State(rows, state.parents()));
  }

  private void update() throws SQLException {
    int value = random.nextInt(4);
    Integer b = someB();
    String s = someS();
    switch (random.nextInt(5)) {
      case 0 ->
          change(
              "UPDATE t SET a = " + value + " - a",
              r -> new Row(value - r.a(), r.b(), r.s(), r.c()));
      case 1 -> change("UPDATE t SET a = " + value, r -> new Row(value, r.b(), r.s(), r.c()));
      case 2 -> change("UPDATE t SET b = " + b, r -> new Row(r.a(), b, r.s(), r.c()));
      case 3 -> change("UPDATE t SET s = " + text(s), r -> new Row(r.a(), r.b(), s, r.c()));
      default -> change("UPDATE t SET c = " + value, r -> new Row(r.a(), r.b(), r.s(), value));
    }
  }

  /** Changes the rows of one or two primary keys; null deletes. */
  private void change(String sql, UnaryOperator<@Nullable Row> change) throws SQLException {
    int first = random.nextInt(4);
    int last = first + random.nextInt(2);
    List<Row> rows = new ArrayList<>();
    for (Row row : state.rows()) {
      Row now = row.a() >= first && row.a() <= last ? change.apply(row) : row;
      if (now != null) {
        rows.add(now);
      }
    }
    change(sql + " WHERE a BETWEEN " + first + " AND " + last, new State(rows, state.parents()));
  }

  private void change(String sql, State after) throws SQLException {
    Set<String> violated = after.violated();
    violated.removeAll(deferred);
    Set<String> must = new TreeSet<>(violated);
    must.removeAll(returned);
    if (run(sql, must, violated)) {
      state = after;
    }
  }

  /** Returns whether it succeeded. */
  private boolean run(String sql, Set<String> must, Set<String> may) throws SQLException {
    try {
      execute(sql + (must.isEmpty() ? "" : " -- " + must));
      assertThat(must).as(told()).isEmpty();
      return true;
    } catch (SQLException e) {
      Set<String> all = new TreeSet<>(must);
      all.addAll(may);
      requireOne(e, all);
      return false;
    }
  }

  private void requireOne(SQLException e, Set<String> violated) {
    String message = String.valueOf(e.getMessage());
    boolean named =
        violated.stream()
            .anyMatch(
                name -> message.contains(" " + name + " ") && named(name).equals(e.getSQLState()));
    if (!named) {
      throw new AssertionError(told() + "\n" + violated, e);
    }
  }

  private static String named(String constraint) {
    return STATES.getOrDefault(constraint, "");
  }

  private void compare() throws SQLException {
    List<String> expected =
        new ArrayList<>(
            state.rows().stream()
                .map(r -> r.a() + "|" + r.b() + "|" + r.s() + "|" + r.c())
                .sorted()
                .toList());
    List<String> found = new ArrayList<>();
    try (Statement statement = connection().createStatement();
        ResultSet rows = statement.executeQuery("SELECT a, b, s, c FROM t")) {
      while (rows.next()) {
        found.add(
            rows.getInt(1)
                + "|"
                + rows.getString(2)
                + "|"
                + rows.getString(3)
                + "|"
                + rows.getInt(4));
      }
    }
    assertThat(found.stream().sorted().toList()).as(told()).isEqualTo(expected);
    int key = random.nextInt(4);
    try (Statement statement = connection().createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM t WHERE a = " + key)) {
      rows.next();
      assertThat(rows.getLong(1))
          .as(told())
          .isEqualTo(state.rows().stream().filter(r -> r.a() == key).count());
    }
  }

  private String told() {
    return String.join(";\n", done);
  }
}
