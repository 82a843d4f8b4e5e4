package io.gpdb.shell;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;

class PrintersTest {
  private static String print(ResultPrinter printer, String sql) throws SQLException {
    StringWriter text = new StringWriter();
    try (Connection connection = DriverManager.getConnection("jdbc:gpdb:mem:");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      PrintWriter out = new PrintWriter(text);
      printer.print(rows, out);
      out.flush();
    }
    return text.toString();
  }

  @Test
  void aTableTooWideForTheTerminalPrintsRowByRow() throws SQLException {
    String sql = "SELECT * FROM (VALUES ('" + "x".repeat(30) + "', 1, 'b')) AS t (a, num, c)";
    assertThat(print(new TablePrinter(80), sql)).startsWith(" A ");
    assertThat(print(new TablePrinter(20), sql))
        .isEqualTo("-- row 1 --------\n  A | " + "x".repeat(30) + "\nNUM | 1\n  C | b\n");
    assertThat(print(new TablePrinter(0), sql)).startsWith(" A ");
  }

  @Test
  void controlCharactersDoNotBreakColumns() throws SQLException {
    String sql = "SELECT * FROM (VALUES ('a\nb\tc', 1)) AS t (a, n)";
    assertThat(print(new TablePrinter(0), sql)).contains("a\\nb\\tc | 1");
  }

  @Test
  void wideCharactersTakeTwoColumns() {
    assertThat(TablePrinter.width("abc")).isEqualTo(3);
    assertThat(TablePrinter.width("日本")).isEqualTo(4);
    assertThat(TablePrinter.width("e\u0301")).isEqualTo(1);
    assertThat(TablePrinter.width("a\nlonger")).isEqualTo(6);
  }

  @Test
  void jsonTextIsEscaped() {
    assertThat(JsonPrinter.quoted("a\"b\\c\n\u0001é")).isEqualTo("\"a\\\"b\\\\c\\n\\u0001é\"");
  }

  @Test
  void theProgressBarSaysRowsRateAndShare() {
    assertThat(ProgressBar.line(1_500_000, 50, 100, 1_000_000_000))
        .isEqualTo("[###############...............]  50%  1,500,000 rows  1,500,000 rows/s");
    assertThat(ProgressBar.line(0, 0, 0, 0)).contains("0%  0 rows");
  }

  @Test
  void durationsReadWell() {
    assertThat(Durations.text(1_234_567)).isEqualTo("1.2 ms");
    assertThat(Durations.text(2_345_678_901L)).isEqualTo("2.35 s");
    assertThat(Durations.text(125_000_000_000L)).isEqualTo("2 min 5 s");
  }
}
