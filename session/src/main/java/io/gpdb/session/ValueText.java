package io.gpdb.session;

import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.type.InstantText;
import io.gpdb.sql.type.IntervalType;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.TemporalText;
import io.gpdb.sql.type.UuidText;
import io.gpdb.sql.type.WideDecimal;
import java.math.BigDecimal;
import java.util.HexFormat;

/** Values as text: what getString returns and COPY writes. */
public final class ValueText {
  private ValueText() {}

  public static String of(SqlTypeSpec type, RowSet row, int column) {
    return switch (type.kind()) {
      case BOOLEAN -> row.raw(column) != 0 ? "TRUE" : "FALSE";
      case TINYINT, SMALLINT, INTEGER, BIGINT -> Long.toString(row.raw(column));
      case REAL -> Float.toString(Float.intBitsToFloat((int) row.raw(column)));
      case DOUBLE -> Double.toString(Double.longBitsToDouble(row.raw(column)));
      case DECIMAL -> BigDecimal.valueOf(row.raw(column), type.scale()).toPlainString();
      case WIDE_DECIMAL -> WideDecimal.number(row.bytes(column), type.scale()).toPlainString();
      case DATE -> TemporalText.formatDate((int) row.raw(column));
      case TIME -> TemporalText.formatTime(row.raw(column));
      case TIMESTAMP -> TemporalText.formatTimestamp(row.raw(column));
      case CHAR, VARCHAR -> row.string(column);
      case TIMESTAMP_TZ -> InstantText.format(row.raw(column));
      case INTERVAL_MONTHS, INTERVAL_MICROS -> IntervalType.of(type).format(row.raw(column));
      case UUID -> UuidText.format(row.bytes(column));
      case VARBINARY -> HexFormat.of().formatHex(row.bytes(column));
    };
  }
}
