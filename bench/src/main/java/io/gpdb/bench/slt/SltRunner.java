package io.gpdb.bench.slt;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Runs the records of a sqllogictest script on one connection and collects what differs. */
final class SltRunner {
  private static final Pattern LEADING_NUMBER = Pattern.compile("\\s*[-+]?\\d+(\\.\\d+)?");

  private final Connection connection;
  private final List<String> failures = new ArrayList<>();
  private final Map<String, String> labelled = new HashMap<>();
  private int passed;

  SltRunner(Connection connection) {
    this.connection = connection;
  }

  List<String> failures() {
    return failures;
  }

  int passed() {
    return passed;
  }

  void run(List<SltRecord> records) {
    for (SltRecord record : records) {
      String problem =
          switch (record) {
            case SltRecord.Statement statement -> statement(statement);
            case SltRecord.Query query -> query(query);
          };
      if (problem.isEmpty()) {
        passed++;
      } else {
        failures.add("line " + record.line() + ": " + problem + "\n  " + record.sql());
      }
    }
  }

  private String statement(SltRecord.Statement record) {
    try (Statement statement = connection.createStatement()) {
      if (statement.execute(record.sql())) {
        drain(statement.getResultSet());
      }
      return record.fails() ? "should have failed" : "";
    } catch (SQLException e) {
      if (!record.fails()) {
        return "failed: " + e.getSQLState() + " " + e.getMessage();
      }
      boolean asExpected =
          record.failure().equals(e.getSQLState())
              || String.valueOf(e.getMessage()).contains(record.failure());
      return asExpected ? "" : "failed otherwise: " + e.getSQLState() + " " + e.getMessage();
    }
  }

  /** A row may be what fails. */
  private static void drain(ResultSet rows) throws SQLException {
    try (rows) {
      while (rows.next()) {}
    }
  }

  private String query(SltRecord.Query record) {
    List<List<String>> rows = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(record.sql())) {
      int columns = record.types().length();
      if (result.getMetaData().getColumnCount() != columns) {
        return "returned " + result.getMetaData().getColumnCount() + " columns, not " + columns;
      }
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int c = 0; c < columns; c++) {
          row.add(text(result, c + 1, record.types().charAt(c)));
        }
        rows.add(row);
      }
    } catch (SQLException e) {
      return "failed: " + e.getSQLState() + " " + e.getMessage();
    }
    List<String> values = sorted(rows, record.sort());
    String problem = compare(record, values);
    return problem.isEmpty() ? compareLabelled(record, values) : problem;
  }

  private String compareLabelled(SltRecord.Query record, List<String> values) {
    if (record.label().isEmpty()) {
      return "";
    }
    String hash = md5(values);
    String before = labelled.putIfAbsent(record.label(), hash);
    return before == null || before.equals(hash)
        ? ""
        : "differs from an earlier query of label " + record.label();
  }

  private static List<String> sorted(List<List<String>> rows, String sort) {
    if (sort.equals("rowsort")) {
      rows.sort(Comparator.comparing((List<String> row) -> String.join("\u0000", row)));
    }
    List<String> values = new ArrayList<>();
    rows.forEach(values::addAll);
    if (sort.equals("valuesort")) {
      Collections.sort(values);
    }
    return values;
  }

  private static String compare(SltRecord.Query record, List<String> values) {
    List<String> expected = record.expected();
    if (expected.size() == 1 && expected.getFirst().contains(" values hashing to ")) {
      String hash = values.size() + " values hashing to " + md5(values);
      return hash.equals(expected.getFirst())
          ? ""
          : "returned " + hash + ", not " + expected.getFirst();
    }
    // Our own scripts may write a row on one line; the corpus writes one value on each.
    if (expected.equals(values) || String.join(" ", expected).equals(String.join(" ", values))) {
      return "";
    }
    return "returned " + shortened(values) + ", not " + shortened(expected);
  }

  private static String shortened(List<String> values) {
    return values.size() <= 30 ? values.toString() : values.subList(0, 30) + "…";
  }

  private static String text(ResultSet result, int column, char type) throws SQLException {
    if (type == 'T') {
      @Nullable String text = result.getString(column);
      return text == null ? "NULL" : text.isEmpty() ? "(empty)" : printable(text);
    }
    @Nullable BigDecimal number =
        result.getObject(column) instanceof String text
            ? leadingNumber(text)
            : result.getBigDecimal(column);
    if (number == null) {
      return "NULL";
    }
    return type == 'I'
        ? number.setScale(0, RoundingMode.DOWN).toBigInteger().toString()
        : number.setScale(3, RoundingMode.HALF_UP).toPlainString();
  }

  /** A text in a column of numbers: the corpus expects what it begins with, or zero. */
  private static BigDecimal leadingNumber(String text) {
    Matcher number = LEADING_NUMBER.matcher(text);
    return number.lookingAt() ? new BigDecimal(number.group().strip()) : BigDecimal.ZERO;
  }

  private static String printable(String text) {
    StringBuilder out = new StringBuilder();
    text.chars().forEach(c -> out.append(c < ' ' ? '@' : (char) c));
    return out.toString();
  }

  private static String md5(List<String> values) {
    try {
      MessageDigest digest = MessageDigest.getInstance("MD5");
      for (String value : values) {
        digest.update((value + "\n").getBytes(StandardCharsets.UTF_8));
      }
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError(e);
    }
  }
}
