package io.gpdb.jdbc.isolation;

import static io.gpdb.jdbc.isolation.IsolationDatabase.assertConflict;
import static io.gpdb.jdbc.isolation.IsolationDatabase.execute;
import static io.gpdb.jdbc.isolation.IsolationDatabase.rows;
import static org.assertj.core.api.Assertions.assertThat;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The fourteen Hermitage scenarios (anomalies of Adya's thesis) at every level: each asserts what
 * the level promises and also what it allows. Two rows (1, 10) and (2, 20); T1, T2, T3 interleave
 * as written. Where Hermitage lets a writer wait, gpDB refuses it at once and it tries again.
 *
 * <p>READ COMMITTED prevents G0, G1a, G1b, G1c and OTV; SNAPSHOT all but G2-item and the two G2;
 * SERIALIZABLE all fourteen.
 */
@Tag("isolation")
@ParameterizedClass
@EnumSource(IsolationDatabase.Place.class)
class HermitageTest {
  /** The levels by their names in JDBC. */
  enum Level {
    READ_COMMITTED(Connection.TRANSACTION_READ_COMMITTED),
    SNAPSHOT(Connection.TRANSACTION_REPEATABLE_READ),
    SERIALIZABLE(Connection.TRANSACTION_SERIALIZABLE);

    final int jdbc;

    Level(int jdbc) {
      this.jdbc = jdbc;
    }
  }

  private static final String ALL = "SELECT id, v FROM test";

  private final IsolationDatabase.Place place;
  private IsolationDatabase database;
  private Connection t1;
  private Connection t2;
  private Connection t3;

  HermitageTest(IsolationDatabase.Place place) {
    this.place = place;
  }

  @BeforeEach
  void twoRows() throws SQLException {
    database = new IsolationDatabase(place, "(1, 10), (2, 20)");
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private void begin(Level level) throws SQLException {
    t1 = database.transaction(level.jdbc);
    t2 = database.transaction(level.jdbc);
    t3 = database.transaction(level.jdbc);
  }

  /** T2's statement was refused while T1 was writing, and T1 has committed since. */
  private void retryInT2(Level level, String... statements) throws SQLException {
    if (level == Level.READ_COMMITTED) {
      for (String sql : statements) {
        execute(t2, sql);
      }
      t2.commit();
    } else {
      assertConflict(t2, statements[0]);
      t2.rollback();
    }
  }

  /** Refused at SERIALIZABLE, done at the others. */
  private static void commitUnlessSerializable(Level level, Connection transaction)
      throws SQLException {
    if (level == Level.SERIALIZABLE) {
      assertConflict(transaction::commit);
    } else {
      transaction.commit();
    }
  }

  @ParameterizedTest
  @EnumSource
  void g0WriteCyclesArePrevented(Level level) throws SQLException {
    begin(level);
    execute(t1, "UPDATE test SET v = 11 WHERE id = 1");
    assertConflict(t2, "UPDATE test SET v = 12 WHERE id = 1");
    execute(t1, "UPDATE test SET v = 21 WHERE id = 2");
    t1.commit();
    assertThat(database.committed()).containsExactly("1=11", "2=21");
    retryInT2(level, "UPDATE test SET v = 12 WHERE id = 1", "UPDATE test SET v = 22 WHERE id = 2");
    assertThat(database.committed())
        .isEqualTo(
            level == Level.READ_COMMITTED ? List.of("1=12", "2=22") : List.of("1=11", "2=21"));
  }

  @ParameterizedTest
  @EnumSource
  void g1aAbortedReadsArePrevented(Level level) throws SQLException {
    begin(level);
    execute(t1, "UPDATE test SET v = 101 WHERE id = 1");
    assertThat(rows(t2, ALL)).containsExactly("1=10", "2=20");
    t1.rollback();
    assertThat(rows(t2, ALL)).containsExactly("1=10", "2=20");
    t2.commit();
  }

  @ParameterizedTest
  @EnumSource
  void g1bIntermediateReadsArePrevented(Level level) throws SQLException {
    begin(level);
    execute(t1, "UPDATE test SET v = 101 WHERE id = 1");
    assertThat(rows(t2, ALL)).containsExactly("1=10", "2=20");
    execute(t1, "UPDATE test SET v = 11 WHERE id = 1");
    t1.commit();
    assertThat(rows(t2, ALL))
        .containsExactly(level == Level.READ_COMMITTED ? "1=11" : "1=10", "2=20");
    t2.commit();
  }

  @ParameterizedTest
  @EnumSource
  void g1cCircularInformationFlowIsPrevented(Level level) throws SQLException {
    begin(level);
    execute(t1, "UPDATE test SET v = 11 WHERE id = 1");
    execute(t2, "UPDATE test SET v = 22 WHERE id = 2");
    assertThat(rows(t1, ALL + " WHERE id = 2")).containsExactly("2=20");
    assertThat(rows(t2, ALL + " WHERE id = 1")).containsExactly("1=10");
    t1.commit();
    commitUnlessSerializable(level, t2);
  }

  @ParameterizedTest
  @EnumSource
  void otvObservedTransactionsDoNotVanish(Level level) throws SQLException {
    begin(level);
    execute(t1, "UPDATE test SET v = 11 WHERE id = 1");
    execute(t1, "UPDATE test SET v = 19 WHERE id = 2");
    assertConflict(t2, "UPDATE test SET v = 12 WHERE id = 1");
    t2.rollback();
    t1.commit();
    execute(t2, "UPDATE test SET v = 12 WHERE id = 1");
    assertThat(rows(t3, ALL + " WHERE id = 1")).containsExactly("1=11");
    execute(t2, "UPDATE test SET v = 18 WHERE id = 2");
    assertThat(rows(t3, ALL + " WHERE id = 2")).containsExactly("2=19");
    t2.commit();
    assertThat(rows(t3, ALL))
        .isEqualTo(
            level == Level.READ_COMMITTED ? List.of("1=12", "2=18") : List.of("1=11", "2=19"));
    t3.commit();
  }

  @ParameterizedTest
  @EnumSource
  void pmpPredicateManyPrecedersShowAtReadCommittedOnly(Level level) throws SQLException {
    begin(level);
    assertThat(rows(t1, ALL + " WHERE v = 30")).isEmpty();
    execute(t2, "INSERT INTO test VALUES (3, 30)");
    t2.commit();
    assertThat(rows(t1, ALL + " WHERE MOD(v, 3) = 0"))
        .isEqualTo(level == Level.READ_COMMITTED ? List.of("3=30") : List.of());
    t1.commit();
  }

  @ParameterizedTest
  @EnumSource
  void pmpOnAWritePredicateShowsAtReadCommittedOnly(Level level) throws SQLException {
    begin(level);
    execute(t1, "UPDATE test SET v = v + 10");
    assertThat(rows(t2, ALL)).containsExactly("1=10", "2=20");
    assertConflict(t2, "DELETE FROM test WHERE v = 20");
    t1.commit();
    retryInT2(level, "DELETE FROM test WHERE v = 20");
    assertThat(database.committed())
        .isEqualTo(level == Level.READ_COMMITTED ? List.of("2=30") : List.of("1=20", "2=30"));
  }

  @ParameterizedTest
  @EnumSource
  void p4LostUpdatesShowAtReadCommittedOnly(Level level) throws SQLException {
    begin(level);
    assertThat(rows(t1, ALL + " WHERE id = 1")).containsExactly("1=10");
    assertThat(rows(t2, ALL + " WHERE id = 1")).containsExactly("1=10");
    execute(t1, "UPDATE test SET v = 11 WHERE id = 1");
    assertConflict(t2, "UPDATE test SET v = 12 WHERE id = 1");
    t1.commit();
    retryInT2(level, "UPDATE test SET v = 12 WHERE id = 1");
    assertThat(database.committed())
        .containsExactly(level == Level.READ_COMMITTED ? "1=12" : "1=11", "2=20");
  }

  @ParameterizedTest
  @EnumSource
  void gSingleReadSkewShowsAtReadCommittedOnly(Level level) throws SQLException {
    begin(level);
    assertThat(rows(t1, ALL + " WHERE id = 1")).containsExactly("1=10");
    assertThat(rows(t2, ALL)).containsExactly("1=10", "2=20");
    execute(t2, "UPDATE test SET v = 12 WHERE id = 1");
    execute(t2, "UPDATE test SET v = 18 WHERE id = 2");
    t2.commit();
    assertThat(rows(t1, ALL + " WHERE id = 2"))
        .containsExactly(level == Level.READ_COMMITTED ? "2=18" : "2=20");
    t1.commit();
  }

  @ParameterizedTest
  @EnumSource
  void gSingleOnPredicatesShowsAtReadCommittedOnly(Level level) throws SQLException {
    begin(level);
    assertThat(rows(t1, ALL + " WHERE MOD(v, 5) = 0")).containsExactly("1=10", "2=20");
    execute(t2, "UPDATE test SET v = 12 WHERE v = 10");
    t2.commit();
    assertThat(rows(t1, ALL + " WHERE MOD(v, 3) = 0"))
        .isEqualTo(level == Level.READ_COMMITTED ? List.of("1=12") : List.of());
    t1.commit();
  }

  @ParameterizedTest
  @EnumSource
  void gSingleOnAWritePredicateShowsAtReadCommittedOnly(Level level) throws SQLException {
    begin(level);
    assertThat(rows(t1, ALL + " WHERE id = 1")).containsExactly("1=10");
    assertThat(rows(t2, ALL)).containsExactly("1=10", "2=20");
    execute(t2, "UPDATE test SET v = 12 WHERE id = 1");
    execute(t2, "UPDATE test SET v = 18 WHERE id = 2");
    t2.commit();
    if (level == Level.READ_COMMITTED) {
      execute(t1, "DELETE FROM test WHERE v = 20");
      t1.commit();
    } else {
      assertConflict(t1, "DELETE FROM test WHERE v = 20");
      t1.rollback();
    }
    assertThat(database.committed()).containsExactly("1=12", "2=18");
  }

  @ParameterizedTest
  @EnumSource
  void g2ItemWriteSkewIsPreventedBySerializableOnly(Level level) throws SQLException {
    begin(level);
    assertThat(rows(t1, ALL + " WHERE id IN (1, 2)")).containsExactly("1=10", "2=20");
    assertThat(rows(t2, ALL + " WHERE id IN (1, 2)")).containsExactly("1=10", "2=20");
    execute(t1, "UPDATE test SET v = 11 WHERE id = 1");
    execute(t2, "UPDATE test SET v = 21 WHERE id = 2");
    t1.commit();
    commitUnlessSerializable(level, t2);
    assertThat(database.committed())
        .containsExactly("1=11", level == Level.SERIALIZABLE ? "2=20" : "2=21");
  }

  @ParameterizedTest
  @EnumSource
  void g2AntiDependencyCyclesArePreventedBySerializableOnly(Level level) throws SQLException {
    begin(level);
    assertThat(rows(t1, ALL + " WHERE MOD(v, 3) = 0")).isEmpty();
    assertThat(rows(t2, ALL + " WHERE MOD(v, 3) = 0")).isEmpty();
    execute(t1, "INSERT INTO test VALUES (3, 30)");
    execute(t2, "INSERT INTO test VALUES (4, 42)");
    t1.commit();
    commitUnlessSerializable(level, t2);
    assertThat(rows(database.setUp(), ALL + " WHERE MOD(v, 3) = 0"))
        .isEqualTo(level == Level.SERIALIZABLE ? List.of("3=30") : List.of("3=30", "4=42"));
  }

  @ParameterizedTest
  @EnumSource
  void g2OfTwoEdgesOverAReaderIsPreventedBySerializableOnly(Level level) throws SQLException {
    begin(level);
    assertThat(rows(t1, ALL)).containsExactly("1=10", "2=20");
    execute(t2, "UPDATE test SET v = v + 5 WHERE id = 2");
    t2.commit();
    assertThat(rows(t3, ALL)).containsExactly("1=10", "2=25");
    t3.commit();
    execute(t1, "UPDATE test SET v = 0 WHERE id = 1");
    commitUnlessSerializable(level, t1);
    assertThat(database.committed())
        .containsExactly(level == Level.SERIALIZABLE ? "1=10" : "1=0", "2=25");
  }
}
