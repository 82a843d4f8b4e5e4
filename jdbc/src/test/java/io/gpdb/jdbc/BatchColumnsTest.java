package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.sql.BatchUpdateException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What was bound to a row of a batch is what its statement stores. */
class BatchColumnsTest {
  private TestDatabase database;
  private Connection connection;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE t (id INTEGER PRIMARY KEY, s SMALLINT, l BIGINT NOT NULL, f REAL,"
                + " d DOUBLE, n DECIMAL(9, 2), dt DATE, b BOOLEAN, v VARCHAR(20), c CHAR(3))");
    connection = database.connection();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  private PreparedStatement insert() throws SQLException {
    return connection.prepareStatement("INSERT INTO t VALUES (?,?,?,?,?,?,?,?,?,?)");
  }

  private static void bind(PreparedStatement insert, int i) throws SQLException {
    insert.setInt(1, i);
    if (i % 3 == 0) {
      insert.setNull(2, Types.SMALLINT);
    } else {
      insert.setShort(2, (short) -i);
    }
    insert.setLong(3, i * 5_000_000_000L);
    insert.setFloat(4, i / 4f);
    insert.setDouble(5, i / 8d);
    insert.setString(6, i + ".25");
    insert.setString(7, "2024-02-%02d".formatted(i % 29 + 1));
    insert.setBoolean(8, i % 2 == 0);
    insert.setString(9, i % 5 == 0 ? null : "text " + i % 7);
    insert.setString(10, "c" + i % 10);
  }

  private static String row(int i) {
    return i
        + "|"
        + (i % 3 == 0 ? "NULL" : -i)
        + "|"
        + i * 5_000_000_000L
        + "|"
        + i / 4f
        + "|"
        + i / 8d
        + "|"
        + i
        + ".25|2024-02-%02d|".formatted(i % 29 + 1)
        + (i % 2 == 0 ? "TRUE" : "FALSE")
        + "|"
        + (i % 5 == 0 ? "NULL" : "text " + i % 7)
        + "|c"
        + i % 10
        + " ";
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 31, 32, 33, 63, 64, 65, 129, 1000})
  void everyTypeAndNullIsStoredAsItWasBound(int rows) throws SQLException {
    List<String> expected = new ArrayList<>();
    try (PreparedStatement insert = insert()) {
      for (int batch = 0; batch < 2; batch++) { // the second one uses the memory of the first
        for (int i = batch * rows; i < (batch + 1) * rows; i++) {
          bind(insert, i);
          insert.addBatch();
          expected.add(row(i).toUpperCase(java.util.Locale.ROOT));
        }
        assertThat(insert.executeBatch()).hasSize(rows).containsOnly(1);
      }
    }
    assertThat(database.rows("SELECT * FROM t ORDER BY id"))
        .extracting(found -> found.toUpperCase(java.util.Locale.ROOT))
        .isEqualTo(expected);
  }

  @Test
  void whatIsNotSetAgainIsThatOfTheRowBefore() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (id, l, s, v) VALUES (?, ?, ?, ?)")) {
      insert.setInt(1, 1);
      insert.setLong(2, 7);
      insert.setNull(3, Types.SMALLINT);
      insert.setString(4, "first");
      insert.addBatch();
      insert.setInt(1, 2);
      insert.addBatch();
      insert.setInt(1, 3);
      insert.setShort(3, (short) 5); // no NULL any more
      insert.setString(4, "never added");
      insert.setString(4, "third");
      insert.addBatch();
      insert.executeBatch();
      insert.setInt(1, 4); // the others stay bound beyond the batch
      insert.addBatch();
      insert.executeBatch();
      insert.setInt(1, 5);
      insert.executeUpdate();
    }
    assertThat(database.rows("SELECT id, l, s, v FROM t ORDER BY id"))
        .containsExactly(
            "1|7|null|first", "2|7|null|first", "3|7|5|third", "4|7|5|third", "5|7|5|third");
  }

  @Test
  void clearBatchForgetsRowsAndClearParametersWhatIsBound() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (id, l, v) VALUES (?, ?, ?)")) {
      insert.setInt(1, 1);
      insert.setLong(2, 1);
      insert.setString(3, "kept");
      insert.addBatch();
      insert.clearBatch();
      assertThat(insert.executeBatch()).isEmpty();
      insert.setInt(1, 2);
      insert.addBatch();
      insert.clearParameters();
      assertThatThrownBy(insert::addBatch).hasMessageContaining("has no value");
      insert.setInt(1, 3);
      insert.setLong(2, 3);
      insert.setNull(3, Types.VARCHAR);
      insert.addBatch();
      assertThat(insert.executeBatch()).containsExactly(1, 1);
    }
    assertThat(database.rows("SELECT id, l, v FROM t ORDER BY id"))
        .containsExactly("2|1|kept", "3|3|null");
  }

  @Test
  void valuesOfOtherTypesAreConvertedInTheMiddleOfABatch() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (id, l, n) VALUES (?, ?, ?)")) {
      for (int i = 0; i < 40; i++) {
        switch (i % 4) {
          case 0 -> insert.setInt(1, i);
          case 1 -> insert.setString(1, " " + i);
          case 2 -> insert.setObject(1, (long) i);
          default -> insert.setObject(1, new java.math.BigDecimal(i));
        }
        insert.setObject(2, i % 2 == 0 ? (Object) i : Integer.toString(i));
        insert.setDouble(3, i + 0.5);
        insert.addBatch();
        assertThatThrownBy(() -> insert.setString(1, "no number"))
            .hasMessageContaining("no number");
        assertThatThrownBy(() -> insert.setLong(1, 1L << 40)).hasMessageContaining("out of range");
      }
      assertThat(insert.executeBatch()).hasSize(40);
    }
    assertThat(database.rows("SELECT count(*), sum(id), sum(l), sum(n) FROM t"))
        .containsExactly("40|780|780|800.00");
  }

  @Test
  void anErrorInARowNamesItAndTheStatementGoesOn() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (id, l) VALUES (?, ?)")) {
      for (int i = 0; i < 100; i++) {
        insert.setInt(1, i == 70 ? 69 : i);
        insert.setLong(2, i);
        insert.addBatch();
      }
      assertThatThrownBy(insert::executeBatch)
          .isInstanceOfSatisfying(
              BatchUpdateException.class, e -> assertThat(e.getUpdateCounts()).hasSize(100))
          .hasMessageContaining("69");
      for (int i = 0; i < 100; i++) {
        insert.setInt(1, i);
        if (i == 70) {
          insert.setNull(2, Types.BIGINT);
        } else {
          insert.setLong(2, i);
        }
        insert.addBatch();
      }
      assertThatThrownBy(insert::executeBatch).hasMessageContaining("NOT NULL: row 71");
      assertThat(database.rows("SELECT count(*) FROM t")).containsExactly("0");
      for (int i = 0; i < 100; i++) {
        insert.setInt(1, i);
        insert.setLong(2, i);
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(100);
    }
    assertThat(database.rows("SELECT count(*) FROM t")).containsExactly("100");
  }

  /** By key: what the kernel stores and reads is where it was bound. */
  @Test
  void updatesByKeyTakeTheirValuesFromTheBatch() throws SQLException {
    try (PreparedStatement insert = insert()) {
      for (int i = 0; i < 200; i++) {
        bind(insert, i);
        insert.addBatch();
      }
      insert.executeBatch();
    }
    try (PreparedStatement stored =
            connection.prepareStatement("UPDATE t SET l = ?, s = ?, v = ? WHERE id = ?");
        PreparedStatement computed =
            connection.prepareStatement("UPDATE t SET l = l + ? WHERE id = ?")) {
      for (int i = 0; i < 300; i++) { // some are not there, some come twice
        stored.setLong(1, i);
        if (i % 4 == 0) {
          stored.setNull(2, Types.SMALLINT);
        } else {
          stored.setShort(2, (short) i);
        }
        stored.setString(3, "v" + i);
        stored.setInt(4, i % 250);
        stored.addBatch();
        computed.setLong(1, 1000);
        computed.setInt(2, i % 250);
        computed.addBatch();
      }
      assertThat(stored.executeBatch()).hasSize(300);
      assertThat(computed.executeBatch()).hasSize(300);
    }
    assertThat(database.rows("SELECT id, l, s, v FROM t WHERE id IN (3, 4, 50, 199) ORDER BY id"))
        .containsExactly(
            "3|2253|253|v253", "4|2254|254|v254", "50|1050|50|v50", "199|1199|199|v199");
  }

  /** Such rows are one batch where their values have the same types. */
  @Test
  void mergesOfValuesWithoutATypeAreABatch() throws SQLException {
    database.execute("CREATE TABLE m (k INTEGER PRIMARY KEY, v DECIMAL(9, 2))");
    PreparedStatement merge =
        connection.prepareStatement(
            "MERGE INTO m USING (VALUES (?, ?)) AS s(k, v) ON m.k = s.k"
                + " WHEN MATCHED THEN UPDATE SET v = m.v + s.v"
                + " WHEN NOT MATCHED THEN INSERT (k, v) VALUES (s.k, s.v)");
    for (int i = 0; i < 100; i++) {
      merge.setInt(1, i % 60);
      merge.setInt(2, i);
      merge.addBatch();
    }
    assertThat(merge.executeBatch()).hasSize(100).containsOnly(1);
    assertThat(merge.executeBatch()).isEmpty();
    assertThat(database.rows("SELECT COUNT(*), SUM(v), MIN(v) FROM m"))
        .containsExactly("60|4950.00|40.00");
    merge.setInt(1, 0);
    merge.setString(2, "0.25");
    merge.addBatch();
    merge.setLong(1, 99);
    merge.setDouble(2, 0.5);
    merge.addBatch();
    assertThat(merge.executeBatch()).containsExactly(1, 1);
    assertThat(database.rows("SELECT * FROM m WHERE k IN (0, 99) ORDER BY k"))
        .containsExactly("0|60.25", "99|0.50");
    for (int i = 0; i < 2; i++) {
      merge.setInt(1, i);
      merge.setLong(2, i * 10_000_000_000L);
      merge.addBatch();
    }
    assertThatThrownBy(merge::executeBatch)
        .isInstanceOf(BatchUpdateException.class)
        .hasMessageContaining("row 2");
    assertThat(database.rows("SELECT * FROM m WHERE k = 0")).containsExactly("0|60.25");
    assertThat(merge.executeBatch()).isEmpty();
  }

  /**
   * Rows whose parameters have their types from the values alone are bound when they are planned.
   */
  @Test
  void aTypeThatOnlyTheValuesTellIsFoundForEachRow() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO t (id, l, d) VALUES (?, ?, ? + ?)")) {
      for (int i = 0; i < 40; i++) {
        insert.setInt(1, i);
        insert.setLong(2, i);
        if (i % 2 == 0) {
          insert.setInt(3, i);
          insert.setInt(4, 1);
        } else {
          insert.setDouble(3, i);
          insert.setDouble(4, 0.5);
        }
        insert.addBatch();
      }
      assertThat(insert.executeBatch()).hasSize(40);
    }
    assertThat(database.rows("SELECT id, d FROM t WHERE id IN (6, 7) ORDER BY id"))
        .containsExactly("6|7.0", "7|7.5");
  }
}
