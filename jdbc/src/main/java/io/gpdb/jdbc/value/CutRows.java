package io.gpdb.jdbc.value;

import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.type.SqlTypeSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Rows whose strings are cut at the statement's maximal field size in bytes, as JDBC has it; no
 * character is cut in two, and CLOB and BLOB stay whole.
 */
public final class CutRows implements RowSet {
  private final RowSet rows;
  private final SqlTypeSpec[] types;
  private final int bytesMax;

  public CutRows(RowSet rows, SqlTypeSpec[] types, int bytesMax) {
    this.rows = rows;
    this.types = types;
    this.bytesMax = bytesMax;
  }

  @Override
  public boolean next() {
    return rows.next();
  }

  @Override
  public boolean isNull(int column) {
    return rows.isNull(column);
  }

  @Override
  public long raw(int column) {
    return rows.raw(column);
  }

  @Override
  public byte[] bytes(int column) {
    byte[] whole = rows.bytes(column);
    if (whole.length <= bytesMax || types[column].isLarge()) {
      return whole;
    }
    int end = bytesMax;
    while (types[column].kind().isCharacter() && end > 0 && isInside(whole[end])) {
      end--;
    }
    return Arrays.copyOf(whole, end);
  }

  /** Whether the byte goes on with a character of UTF-8. */
  private static boolean isInside(byte one) {
    return (one & 0xC0) == 0x80;
  }

  @Override
  public String string(int column) {
    return new String(bytes(column), StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    rows.close();
  }
}
