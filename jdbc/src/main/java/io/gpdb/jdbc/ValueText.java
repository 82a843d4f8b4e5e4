package io.gpdb.jdbc;

import io.gpdb.planner.RowSet;
import io.gpdb.sql.SqlTypeSpec;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.HexFormat;

/** Values as text: what getString gives and COPY writes. */
final class ValueText {
  private static final long SECOND_MICROS = 1_000_000;
  private static final long DAY_MICROS = 86_400 * SECOND_MICROS;

  private ValueText() {}

  static String of(SqlTypeSpec type, RowSet row, int column) {
    return switch (type.kind()) {
      case BOOLEAN -> row.raw(column) != 0 ? "TRUE" : "FALSE";
      case SMALLINT, INTEGER, BIGINT -> Long.toString(row.raw(column));
      case REAL -> Float.toString(Float.intBitsToFloat((int) row.raw(column)));
      case DOUBLE -> Double.toString(Double.longBitsToDouble(row.raw(column)));
      case DECIMAL -> BigDecimal.valueOf(row.raw(column), type.scale()).toPlainString();
      case DATE -> LocalDate.ofEpochDay(row.raw(column)).toString();
      case TIME -> time(row.raw(column));
      case TIMESTAMP -> timestamp(row.raw(column));
      case CHAR, VARCHAR -> row.string(column);
      case VARBINARY -> HexFormat.of().formatHex(row.bytes(column));
    };
  }

  private static String timestamp(long micros) {
    return LocalDate.ofEpochDay(Math.floorDiv(micros, DAY_MICROS))
        + " "
        + time(Math.floorMod(micros, DAY_MICROS));
  }

  /** hh:mm:ss and, unless it is zero, the fraction without trailing zeros. */
  private static String time(long microsOfDay) {
    long seconds = microsOfDay / SECOND_MICROS;
    StringBuilder text = new StringBuilder(15);
    two(text, seconds / 3600).append(':');
    two(text, seconds / 60 % 60).append(':');
    two(text, seconds % 60);
    long fraction = microsOfDay % SECOND_MICROS;
    if (fraction != 0) {
      text.append('.').append(Long.toString(SECOND_MICROS + fraction), 1, 7);
      while (text.charAt(text.length() - 1) == '0') {
        text.setLength(text.length() - 1);
      }
    }
    return text.toString();
  }

  private static StringBuilder two(StringBuilder text, long value) {
    return text.append((char) ('0' + value / 10)).append((char) ('0' + value % 10));
  }
}
