package io.gpdb.bench.grammar;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Compares the rows of one query with those of others that must have the same: a predicate splits
 * the rows into those for which it is true, false and unknown (Rigger and Su 2020, ternary logic
 * partitioning), and selects those for which it is true where it is computed as a column
 * (non-optimizing reference engine construction); groups, orders, joins and changes follow from
 * plain rows in the same way. Where one of the statements fails, nothing can be compared.
 */
final class AnswerCheck {
  /** What may differ from one query to the next, or depends on the order of rows. */
  private static final Pattern OPEN =
      Pattern.compile(
          "RAND|CURRENT_TIME|LOCALTIME|CURRENT_DATE| OVER |LISTAGG|STRING_AGG|ANY_VALUE|ARG_M|MODE\\("
              + "|COLLECT|LIMIT|FETCH|SINGLE_VALUE|\\?");

  private static final String TRUE = "|TRUE";
  private static final int ROWS_MAX = 20_000;
  private static final int TIMEOUT_SECONDS = 10;

  private final Connection connection;

  AnswerCheck(Connection connection) {
    this.connection = connection;
  }

  /** Whether the text has one meaning in every query. */
  static boolean isFixed(Parts parts) {
    return !OPEN.matcher(parts.toString()).find();
  }

  /** What differs, or null. A change is rolled back. */
  @Nullable String problem(Parts parts) throws SQLException {
    return switch (parts) {
      case Parts.OfQuery query -> query(query);
      case Parts.OfJoin join -> join(join);
      case Parts.OfChange change -> change(change);
    };
  }

  private @Nullable String query(Parts.OfQuery q) throws SQLException {
    String columns = q.key() + ", " + q.value();
    String list = "SELECT " + columns;
    String from = " FROM " + q.from();
    String where = from + " WHERE ";
    List<String> all = rows(list + from);
    List<String> selected = rows(list + where + "(" + q.predicate() + ")");
    List<String> parts = new ArrayList<>(selected);
    parts.addAll(rows(list + where + "NOT (" + q.predicate() + ")"));
    parts.addAll(rows(list + where + "(" + q.predicate() + ") IS UNKNOWN"));
    String problem = difference("true, false and unknown", sorted(all), sorted(parts));
    if (problem == null) {
      List<String> marked = rows(list + ", (" + q.predicate() + ") IS TRUE" + from);
      List<String> kept = new ArrayList<>();
      marked.stream()
          .filter(row -> row.endsWith(TRUE))
          .forEach(row -> kept.add(row.substring(0, row.length() - TRUE.length())));
      problem = difference("predicate as a column", sorted(kept), sorted(selected));
    }
    if (problem == null) {
      problem = groups(columns + from, all.size());
    }
    return problem != null ? problem : ordered(q);
  }

  /** What differs of the counts by key and value, or null. */
  private @Nullable String groups(String columnsFrom, int rows) throws SQLException {
    List<String> distinct = rows("SELECT DISTINCT " + columnsFrom);
    List<String> grouped =
        rows("SELECT k, v, COUNT(*) FROM (SELECT " + columnsFrom + ") AS g (k, v) GROUP BY k, v");
    long counted = 0;
    for (String row : grouped) {
      counted += Long.parseLong(row.substring(row.lastIndexOf('|') + 1));
    }
    if (counted != rows) {
      return "rows of groups: " + counted + " of " + rows;
    }
    // Texts and numbers of one value may be written in several ways.
    return distinct.size() == grouped.size()
        ? null
        : "groups: " + distinct.size() + " rows are distinct, " + grouped.size() + " groups";
  }

  /** What differs of the first rows in order, or null. */
  private @Nullable String ordered(Parts.OfQuery q) throws SQLException {
    String sql = "SELECT " + q.key() + " AS k FROM " + q.from() + " ORDER BY k";
    List<String> all = rows(sql);
    List<String> some = rows(sql + " LIMIT 3 OFFSET 1");
    List<String> expected = all.subList(Math.min(1, all.size()), Math.min(4, all.size()));
    return difference("first rows in order", expected, some);
  }

  private @Nullable String join(Parts.OfJoin j) throws SQLException {
    String list = "SELECT " + j.key() + ", " + j.value();
    String from = " FROM " + j.left();
    List<String> crossed = rows(list + from + ", " + j.right() + " WHERE (" + j.condition() + ")");
    String on = " JOIN " + j.right() + " ON (" + j.condition() + ")";
    List<String> joined = rows(list + from + on);
    String problem = difference("condition of a join", sorted(crossed), sorted(joined));
    if (problem != null) {
      return problem;
    }
    List<String> outer = rows(list + from + " LEFT" + on);
    List<String> expected = new ArrayList<>(joined);
    String none = "(SELECT 1 FROM " + j.right() + " WHERE (" + j.condition() + "))";
    List<String> alone = rows("SELECT " + j.key() + ", NULL" + from + " WHERE NOT EXISTS " + none);
    expected.addAll(alone);
    problem = difference("rows without a match", sorted(expected), sorted(outer));
    return problem != null ? problem : rightAndFull(j, list, alone);
  }

  private @Nullable String rightAndFull(Parts.OfJoin j, String list, List<String> alone)
      throws SQLException {
    String on = " ON (" + j.condition() + ")";
    List<String> mirrored = rows(list + " FROM " + j.right() + " LEFT JOIN " + j.left() + on);
    List<String> right = rows(list + " FROM " + j.left() + " RIGHT JOIN " + j.right() + on);
    String problem = difference("right join", sorted(mirrored), sorted(right));
    if (problem != null) {
      return problem;
    }
    List<String> full = rows(list + " FROM " + j.left() + " FULL JOIN " + j.right() + on);
    mirrored.addAll(alone);
    return difference("full join", sorted(mirrored), sorted(full));
  }

  private @Nullable String change(Parts.OfChange c) throws SQLException {
    String all = "SELECT * FROM " + c.table();
    List<String> left = rows(all + " WHERE (" + c.predicate() + ") IS NOT TRUE");
    String value =
        "CASE WHEN (%s) IS TRUE THEN CAST(%s AS %s) ELSE q.%s END"
            .formatted(c.predicate(), c.value(), c.type(), c.column());
    List<String> changed = rows("SELECT " + value + " FROM " + c.table());
    connection.setAutoCommit(false);
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      statement.execute("DELETE FROM " + c.table() + " WHERE (" + c.predicate() + ")");
      String problem = difference("rows deleted", sorted(left), sorted(rows(all)));
      connection.rollback();
      if (problem != null) {
        return problem;
      }
      statement.execute(
          "UPDATE %s SET %s = %s WHERE (%s)"
              .formatted(c.table(), c.column(), c.value(), c.predicate()));
      List<String> found = rows("SELECT q." + c.column() + " FROM " + c.table());
      return difference("rows updated", sorted(changed), sorted(found));
    } finally {
      connection.rollback();
      connection.setAutoCommit(true);
    }
  }

  private static List<String> sorted(List<String> rows) {
    return rows.stream().sorted().toList();
  }

  private static @Nullable String difference(
      String what, List<String> expected, List<String> found) {
    if (expected.equals(found)) {
      return null;
    }
    List<String> missing = new ArrayList<>(expected);
    found.forEach(missing::remove);
    List<String> extra = new ArrayList<>(found);
    expected.forEach(extra::remove);
    return what + ": missing " + few(missing) + ", too many " + few(extra);
  }

  private static String few(List<String> rows) {
    return rows.size() + " " + rows.subList(0, Math.min(3, rows.size()));
  }

  private List<String> rows(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.setQueryTimeout(TIMEOUT_SECONDS);
      try (ResultSet rows = statement.executeQuery(sql)) {
        List<String> texts = new ArrayList<>();
        ResultSetMetaData described = rows.getMetaData();
        int columns = described.getColumnCount();
        while (rows.next() && texts.size() < ROWS_MAX) {
          StringBuilder text = new StringBuilder();
          for (int i = 1; i <= columns; i++) {
            String value = rows.getString(i);
            requireNullable(described, i, value, sql);
            text.append(i == 1 ? "" : "|").append(Objects.toString(value, "NULL"));
          }
          texts.add(text.toString());
        }
        return texts;
      }
    } catch (SQLException e) {
      throw new Failed(sql, e);
    }
  }

  /** A column that takes itself for one without NULLs makes other expressions wrong. */
  private static void requireNullable(
      ResultSetMetaData columns, int column, @Nullable String value, String sql)
      throws SQLException {
    if (value == null && columns.isNullable(column) == ResultSetMetaData.columnNoNulls) {
      throw new AssertionError("NULL in a column without NULLs: " + sql);
    }
  }

  /** A statement of a comparison failed. */
  static final class Failed extends SQLException {
    private static final long serialVersionUID = 1;

    /** Its text. */
    final String sql;

    Failed(String sql, SQLException cause) {
      super(cause.getMessage(), cause.getSQLState(), cause);
      this.sql = sql;
    }
  }
}
