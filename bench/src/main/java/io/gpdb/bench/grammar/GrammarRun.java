package io.gpdb.bench.grammar;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Rounds of statements, each round on a database of its own that follows from seed and number. */
public final class GrammarRun {
  private static final int STATEMENTS_PER_ROUND = 120;
  private static final int ANSWERS_PER_ROUND = 60;
  private static final int ROWS_END = 5;
  private static final int ROWS_END_OF_ANSWERS = 14;
  private static final int TIMEOUT_SECONDS = 10;
  private static final long NANOS_MAX = 30_000_000_000L;
  private static final long ANSWERS_SEED = 1L << 40;

  private final long seed;
  private final boolean accidents;
  private final Map<String, Finding> findings = new LinkedHashMap<>();
  private final Map<String, Long> outcomes = new TreeMap<>();
  private long statements;
  private long answers;

  /**
   * @param accidents whether statements are findings that are refused only because something failed
   */
  public GrammarRun(long seed, boolean accidents) {
    this.seed = seed;
    this.accidents = accidents;
  }

  /** What was found, by its sort: the first statement of each. */
  public Map<String, String> findings() {
    Map<String, String> texts = new LinkedHashMap<>();
    findings.forEach(
        (sort, found) ->
            texts.put(
                sort, "round " + found.round() + ": " + found.sql() + "\n    " + found.message()));
    return texts;
  }

  /** How often statements ended in a way: done, or an SQLSTATE. */
  public Map<String, Long> outcomes() {
    return outcomes;
  }

  public long statements() {
    return statements;
  }

  /** How many queries and changes were compared with others that say the same. */
  public long answers() {
    return answers;
  }

  /** Runs rounds until a number or a time of {@link System#nanoTime}; at least one. */
  public long run(long firstRound, long endRound, long untilNanos) throws SQLException {
    long round = firstRound;
    do {
      round(round, untilNanos);
      answers(round++, untilNanos);
    } while (round < endRound && System.nanoTime() < untilNanos);
    return round;
  }

  private void round(long round, long untilNanos) throws SQLException {
    Random random = new Random(seed * 1_000_003 + round);
    RandomSchema schema = new RandomSchema(random);
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:")) {
      fill(connection, round, schema, ROWS_END);
      RandomStatement valid = new RandomStatement(random, schema);
      TextMutations mutations = new TextMutations(random);
      for (int i = 0; i < STATEMENTS_PER_ROUND && System.nanoTime() < untilNanos; i++) {
        String sql = valid.text();
        boolean prepared = random.nextInt(3) == 0 || sql.contains("?");
        execute(connection, round, random.nextInt(4) == 0 ? mutations.mutated(sql) : sql, prepared);
      }
    }
  }

  /** Compares answers over tables of their own, so that statements do not depend on them. */
  private void answers(long round, long untilNanos) throws SQLException {
    Random random = new Random(seed * 1_000_003 + round + ANSWERS_SEED);
    RandomSchema schema = new RandomSchema(random);
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:")) {
      fill(connection, round, schema, ROWS_END_OF_ANSWERS);
      RandomStatement valid = new RandomStatement(random, schema);
      AnswerCheck check = new AnswerCheck(connection);
      for (int i = 0; i < ANSWERS_PER_ROUND && System.nanoTime() < untilNanos; i++) {
        compare(round, check, random.nextInt(4), valid);
      }
    }
  }

  private void fill(Connection connection, long round, RandomSchema schema, int rowsEnd) {
    for (String sql : schema.statements(rowsEnd)) {
      execute(connection, round, sql, false);
    }
  }

  private void compare(long round, AnswerCheck check, int sort, RandomStatement valid) {
    Parts parts =
        switch (sort) {
          case 0 -> valid.joinParts();
          case 1 -> valid.changeParts();
          default -> valid.queryParts();
        };
    if (!AnswerCheck.isFixed(parts)) {
      return;
    }
    try {
      String problem = check.problem(parts);
      answers++;
      if (problem != null) {
        String kind = problem.substring(0, problem.indexOf(':'));
        add(new Finding("answers differ, " + kind, round, parts.toString(), problem));
      }
    } catch (AnswerCheck.Failed e) {
      judge(round, e.sql, e);
    } catch (SQLException | RuntimeException | Error e) {
      judge(round, parts.toString(), e);
    }
  }

  private void execute(Connection connection, long round, String sql, boolean prepared) {
    long start = System.nanoTime();
    statements++;
    try {
      if (prepared) {
        executePrepared(connection, sql);
      } else {
        executePlain(connection, sql);
      }
      outcomes.merge("done", 1L, Long::sum);
    } catch (SQLException | RuntimeException | Error e) {
      judge(round, sql, e);
    }
    if (System.nanoTime() - start > NANOS_MAX) {
      add(new Finding("slow", round, sql, (System.nanoTime() - start) / 1_000_000_000 + " s"));
    }
  }

  private void judge(long round, String sql, Throwable thrown) {
    String state = thrown instanceof SQLException e ? e.getSQLState() : thrown.getClass().getName();
    outcomes.merge(String.valueOf(state), 1L, Long::sum);
    String fault = ErrorCheck.fault(thrown, sql);
    if (fault == null && accidents) {
      fault = ErrorCheck.accident(thrown);
    }
    if (fault != null) {
      add(new Finding(fault, round, sql, String.valueOf(thrown.getMessage())));
    }
  }

  private void add(Finding finding) {
    findings.putIfAbsent(finding.sort(), finding);
  }

  private static void executePlain(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      if (statement.execute(sql)) {
        readAll(statement.getResultSet());
      }
    }
  }

  private static void executePrepared(Connection connection, String sql) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      Object[] values = {1, "a", null, 2.5, new java.math.BigDecimal("1.5"), true};
      for (int i = 0; i < statement.getParameterMetaData().getParameterCount(); i++) {
        statement.setObject(i + 1, values[(sql.length() + i) % values.length]);
      }
      if (statement.execute()) {
        readAll(statement.getResultSet());
      }
    }
  }

  private static void readAll(ResultSet rows) throws SQLException {
    try (rows) {
      int columns = rows.getMetaData().getColumnCount();
      for (int row = 0; row < 1000 && rows.next(); row++) {
        for (int i = 1; i <= columns; i++) {
          rows.getObject(i);
          rows.getString(i);
        }
      }
    }
  }
}
