package io.gpdb.session;

import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Rows held in memory, by column: those of metadata, and those read ahead of a change. */
public final class BufferedRows implements RowSet {
  private static final int FIRST_CAPACITY = 64;

  private final boolean[] isString;
  private final long[][] raws;
  private final byte[][][] strings;
  private final boolean[][] nulls;
  private int rows;
  private int at = -1;

  /** What ended the copy before the source's end; raised where the missing row would be. */
  private @Nullable GpdbException failure;

  public BufferedRows(SqlTypeSpec[] types) {
    isString = new boolean[types.length];
    raws = new long[types.length][];
    strings = new byte[types.length][][];
    nulls = new boolean[types.length][FIRST_CAPACITY];
    for (int i = 0; i < types.length; i++) {
      isString[i] = types[i].kind().isString();
      raws[i] = new long[isString[i] ? 0 : FIRST_CAPACITY];
      strings[i] = new byte[isString[i] ? FIRST_CAPACITY : 0][];
    }
  }

  /** What the cursor has left, with its current row first when {@code withCurrent}. */
  public static BufferedRows copy(RowSet source, SqlTypeSpec[] types, boolean withCurrent) {
    BufferedRows copy = new BufferedRows(types);
    if (withCurrent) {
      copy.appendRowOf(source);
      copy.at = 0;
    }
    try {
      while (source.next()) {
        copy.appendRowOf(source);
      }
    } catch (GpdbException e) {
      copy.failure = e;
    }
    return copy;
  }

  /** What ended the copy before the source's end, or null. */
  public @Nullable GpdbException failure() {
    return failure;
  }

  private void appendRowOf(RowSet source) {
    int row = addRow();
    for (int i = 0; i < isString.length; i++) {
      if (source.isNull(i)) {
        nulls[i][row] = true;
      } else if (isString[i]) {
        strings[i][row] = source.bytes(i);
      } else {
        raws[i][row] = source.raw(i);
      }
    }
  }

  /** Adds a row of the given values: null, a String for a string column, a Number or a Boolean. */
  public void append(@Nullable Object... values) {
    int row = addRow();
    for (int i = 0; i < isString.length; i++) {
      switch (values[i]) {
        case null -> nulls[i][row] = true;
        case String text -> strings[i][row] = text.getBytes(StandardCharsets.UTF_8);
        case Boolean flag -> raws[i][row] = flag ? 1 : 0;
        case Number number -> raws[i][row] = number.longValue();
        default -> throw new IllegalArgumentException(String.valueOf(values[i]));
      }
    }
  }

  private int addRow() {
    for (int i = 0; i < isString.length; i++) {
      if (rows == nulls[i].length) {
        nulls[i] = Arrays.copyOf(nulls[i], rows * 2);
        if (isString[i]) {
          strings[i] = Arrays.copyOf(strings[i], rows * 2);
        } else {
          raws[i] = Arrays.copyOf(raws[i], rows * 2);
        }
      }
    }
    return rows++;
  }

  @Override
  public boolean next() {
    at++;
    GpdbException cause = failure;
    if (at >= rows && cause != null) {
      throw cause;
    }
    return at < rows;
  }

  @Override
  public boolean isNull(int column) {
    return nulls[column][at];
  }

  @Override
  public long raw(int column) {
    return raws[column][at];
  }

  @Override
  public byte[] bytes(int column) {
    return strings[column][at];
  }

  @Override
  public String string(int column) {
    return new String(strings[column][at], StandardCharsets.UTF_8);
  }

  @Override
  public void close() {}
}
