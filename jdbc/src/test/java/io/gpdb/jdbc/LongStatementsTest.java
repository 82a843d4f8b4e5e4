package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** What a statement of megabytes costs grows with its length, not with the square of it. */
class LongStatementsTest {
  private static final int MIB = 1024 * 1024;
  private static final double RATIO_MAX = 3;
  private static final int ATTEMPTS = 4;
  private static final long NANOS_MAX = 40_000_000_000L;
  private static final long NANOS_TOLD_APART = 1_000_000_000L;

  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private Connection connection;
  private Statement statement;

  @BeforeEach
  void open() throws SQLException {
    connection = DriverManager.getConnection("jdbc:gpdb:mem:");
    statement = connection.createStatement();
    statement.execute("CREATE TABLE t (s VARCHAR)");
    statement.execute("INSERT INTO t VALUES ('a')");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  private enum Shape {
    COMMENT(n -> "SELECT 1 /*" + " x".repeat(n / 2) + "*/"),
    COMMENT_LINES(n -> "SELECT 1 " + "--x\n".repeat(n / 4) + "+ 1"),
    BLANKS(n -> "SELECT 1 " + " ".repeat(n) + "+ 1"),
    QUOTES(n -> "SELECT '" + "''".repeat(n / 2) + "'"),
    VALUES(n -> "INSERT INTO t VALUES ('')" + ", ('x')".repeat(n / 70)),
    NAME(n -> "SELECT " + "x".repeat(n) + " FROM t"),
    QUOTED_NAME(n -> "SELECT \"" + "x".repeat(n) + "\" FROM t"),
    NUMBER(n -> "SELECT " + "1".repeat(n)),
    BINARY(n -> "SELECT X'" + "ab".repeat(n / 2) + "'"),
    OPEN_QUOTE(n -> "SELECT '" + "x y ".repeat(n / 4)),
    OPEN_COMMENT(n -> "SELECT /*" + "x y ".repeat(n / 4)),
    OPEN_BRACES(n -> "SELECT " + "{".repeat(n)),
    PARENTHESES(n -> "SELECT " + "(".repeat(n / 2) + "1" + ")".repeat(n / 2)),
    SUM(n -> "SELECT 1" + "+1".repeat(n / 2)),
    NEGATIONS(n -> "SELECT " + "- ".repeat(n / 2) + "1"),
    CONDITIONS(n -> "SELECT 1 FROM t WHERE 1 = 1" + " AND 1 = 1".repeat(n / 10)),
    NAMES(n -> "SELECT a" + ".a".repeat(n / 2)),
    UNIONS(n -> "SELECT 1" + " UNION SELECT 1".repeat(n / 15)),
    SEMICOLONS(";"::repeat),
    WORDS(n -> "SELECT FROM WHERE ".repeat(n / 18));

    private final IntFunction<String> text;

    Shape(IntFunction<String> text) {
      this.text = text;
    }
  }

  /** A way by which a text gets to the parser. */
  private interface Way {
    void run(String sql) throws SQLException;
  }

  /** Of this thread's work: the machine may be busy with something else. */
  private static long nanos(Way way, String sql) {
    long start = THREADS.getCurrentThreadCpuTime();
    try {
      way.run(sql);
    } catch (SQLException e) {
      assertThat(e.getSQLState()).as(e.getMessage()).isNotNull().doesNotStartWith("XX");
      assertThat(e.getMessage()).hasSizeLessThan(2000);
    }
    return THREADS.getCurrentThreadCpuTime() - start;
  }

  private static void assertLinear(Way way, IntFunction<String> text, int characters) {
    nanos(way, text.apply(MIB / 4));
    long half = Long.MAX_VALUE;
    long whole = Long.MAX_VALUE;
    for (int attempt = 0; attempt < ATTEMPTS; attempt++) { // collecting garbage may cost as much
      whole = Math.min(whole, nanos(way, text.apply(characters)));
      if (whole < NANOS_TOLD_APART) {
        return; // short, whatever half of it costs
      }
      half = Math.min(half, nanos(way, text.apply(characters / 2)));
      if (whole < RATIO_MAX * half) {
        break;
      }
    }
    assertThat(whole).isLessThan(NANOS_MAX);
    assertThat((double) whole)
        .as("%d characters cost %d ns, half of them %d ns", characters, whole, half)
        .isLessThan(RATIO_MAX * half);
  }

  @ParameterizedTest
  @EnumSource(Shape.class)
  void costGrowsWithTheLength(Shape shape) {
    assertLinear(statement::execute, shape.text, 2 * MIB);
  }

  private Stream<Way> ways() {
    return Stream.of(
        statement::execute,
        sql -> {
          try (PreparedStatement prepared = connection.prepareStatement(sql);
              ResultSet rows = prepared.executeQuery()) {
            assertThat(rows.next()).isTrue();
          }
        },
        sql -> {
          statement.addBatch("INSERT INTO t " + sql);
          statement.executeBatch();
        },
        sql -> statement.execute("SELECT 1; " + sql + "; SELECT 2"));
  }

  @Test
  void aLongLiteralIsReadByEveryWay() {
    ways().forEach(way -> assertLinear(way, n -> "SELECT '" + "x".repeat(n) + "'", 3 * MIB));
  }

  @Test
  void aLiteralOf20MibIsRead() {
    assertLinear(statement::execute, n -> "SELECT '" + "x".repeat(n) + "'", 20 * MIB);
  }

  @Test
  void aCommentOf20MibIsSkipped() {
    assertLinear(statement::execute, Shape.COMMENT.text, 20 * MIB);
  }

  @ParameterizedTest
  @MethodSource("nestedTexts")
  void whatNestsTooDeeplyIsTooComplex(String sql) {
    SQLException error = catchThrowableOfType(SQLException.class, () -> statement.execute(sql));
    assertThat((Throwable) error).as(sql.substring(0, 40)).isNotNull();
    assertThat(error.getSQLState()).as(error.getMessage()).isEqualTo("54001");
  }

  static Stream<String> nestedTexts() {
    return Stream.of(
        "SELECT " + "(".repeat(5000) + "1" + ")".repeat(5000),
        "SELECT " + "- ".repeat(20_000) + "1",
        "SELECT " + "NOT ".repeat(20_000) + "TRUE",
        "SELECT 1" + " + 1".repeat(20_000),
        "SELECT " + "(CASE WHEN TRUE THEN ".repeat(5000) + "1" + " END)".repeat(5000),
        "SELECT * FROM " + "(SELECT * FROM ".repeat(2000) + "t" + ")".repeat(2000));
  }
}
