package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rows in lists of rows with parameters, compared with three-valued logic in Java. */
class RowListsTest {
  private static final int ROWS = 40;
  private static final int LISTS = 25;
  private static final List<String> NAMES = List.of("i", "v", "d");

  private final long seed = Long.getLong("gpdb.seed", 1);
  private final Random random = new Random(seed);

  @Test
  void aRowIsInAListWhereOneOfItsRowsEqualsIt() throws SQLException {
    try (TestDatabase database =
        new TestDatabase(
            "CREATE TABLE t (k INTEGER PRIMARY KEY, i INTEGER, v VARCHAR(5), d DATE)")) {
      List<@Nullable Object[]> rows = fill(database);
      for (int n = 0; n < LISTS; n++) {
        List<Integer> columns = new ArrayList<>(List.of(0, 1, 2));
        Collections.shuffle(columns, random);
        compare(database, rows, columns.subList(0, 1 + random.nextInt(columns.size())));
      }
    }
  }

  private @Nullable Object value(int column) {
    int number = random.nextInt(4);
    if (number == 3) {
      return null;
    }
    return switch (column) {
      case 0 -> number;
      case 1 -> "v" + number;
      default -> LocalDate.of(2001, 1, 1 + number);
    };
  }

  private List<@Nullable Object[]> fill(TestDatabase database) throws SQLException {
    List<@Nullable Object[]> rows = new ArrayList<>();
    try (PreparedStatement insert =
        database.connection().prepareStatement("INSERT INTO t VALUES (?, ?, ?, ?)")) {
      for (int k = 0; k < ROWS; k++) {
        @Nullable Object[] row = {value(0), value(1), value(2)};
        rows.add(row);
        insert.setInt(1, k);
        for (int i = 0; i < row.length; i++) {
          insert.setObject(i + 2, row[i]);
        }
        insert.addBatch();
      }
      insert.executeBatch();
    }
    return rows;
  }

  private void compare(TestDatabase database, List<@Nullable Object[]> rows, List<Integer> columns)
      throws SQLException {
    int size = 1 + random.nextInt(5);
    List<@Nullable Object> values = new ArrayList<>();
    for (int i = 0; i < size * columns.size(); i++) {
      values.add(value(columns.get(i % columns.size())));
    }
    boolean not = random.nextBoolean();
    String row = "(" + String.join(", ", Collections.nCopies(columns.size(), "?")) + ")";
    String sql =
        columns.stream()
                .map(NAMES::get)
                .collect(Collectors.joining(", ", "SELECT k FROM t WHERE (", ")"))
            + (not ? " NOT IN (" : " IN (")
            + String.join(", ", Collections.nCopies(size, row))
            + ") ORDER BY k";
    List<String> expected = new ArrayList<>();
    for (int k = 0; k < ROWS; k++) {
      Boolean in = isIn(rows.get(k), columns, values);
      if (in != null && in != not) {
        expected.add(String.valueOf(k));
      }
    }
    try (PreparedStatement query = database.connection().prepareStatement(sql)) {
      for (int i = 0; i < values.size(); i++) {
        query.setObject(i + 1, values.get(i));
      }
      assertThat(TestDatabase.rows(query.executeQuery()))
          .as("%s with %s, -Dgpdb.seed=%d", sql, values, seed)
          .isEqualTo(expected);
    }
  }

  /** Null is unknown. */
  private static @Nullable Boolean isIn(
      @Nullable Object[] row, List<Integer> columns, List<@Nullable Object> values) {
    @Nullable Boolean[] equal = new Boolean[values.size() / columns.size()];
    for (int n = 0; n < equal.length; n++) {
      boolean unknown = false;
      boolean differs = false;
      for (int i = 0; i < columns.size(); i++) {
        Object left = row[columns.get(i)];
        Object right = values.get(n * columns.size() + i);
        unknown |= left == null || right == null;
        differs |= left != null && right != null && !left.equals(right);
      }
      equal[n] = differs ? Boolean.FALSE : unknown ? null : Boolean.TRUE;
    }
    if (Arrays.asList(equal).contains(Boolean.TRUE)) {
      return true;
    }
    return Arrays.asList(equal).contains(null) ? null : false;
  }
}
