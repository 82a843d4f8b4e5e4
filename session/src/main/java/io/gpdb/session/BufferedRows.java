package io.gpdb.session;

import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryAccount;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Rows kept in memory, by column: those of metadata, and those read ahead of a change. */
public final class BufferedRows implements RowSet {
  private static final int FIRST_CAPACITY = 64;

  /** Of an array and its reference in the heap, in addition to the bytes. */
  private static final int ARRAY_BYTES = 24;

  private static final long CHARGED_AT_ONCE_BYTES = 64 << 10;

  /** What counts the rows; null where they are few and belong to no statement. */
  private final @Nullable MemoryAccount account;

  private long unchargedBytes;

  private final boolean[] isString;
  private final long[][] raws;
  private final byte[][][] strings;
  private final boolean[][] nulls;
  private int rows;
  private int at = -1;

  /** What ended the copy before the source's end; raised where the missing row would be. */
  private @Nullable GpdbException failure;

  public BufferedRows(SqlTypeSpec[] types) {
    this(types, null);
  }

  /** Rows to be appended, which the account counts. */
  public BufferedRows(SqlTypeSpec[] types, @Nullable MemoryAccount account) {
    this.account = account;
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

  /**
   * What the cursor has left, with its current row first when {@code withCurrent}; the account
   * counts it until its end.
   */
  public static BufferedRows copy(
      RowSet source, SqlTypeSpec[] types, boolean withCurrent, MemoryAccount account) {
    BufferedRows copy = new BufferedRows(types, account);
    if (withCurrent) {
      copy.append(source);
      copy.at = 0;
    }
    try {
      while (source.next()) {
        copy.append(source);
      }
    } catch (GpdbException e) {
      copy.failure = e;
    }
    return copy;
  }

  /** Adds what a cursor has left, and closes it. */
  public void appendAll(RowSet source) {
    try (source) {
      while (source.next()) {
        append(source);
      }
    }
  }

  /** The same rows again, from the first; none may be added any more. */
  public BufferedRows again() {
    return new BufferedRows(this);
  }

  private BufferedRows(BufferedRows other) {
    account = other.account;
    isString = other.isString;
    raws = other.raws;
    strings = other.strings;
    nulls = other.nulls;
    rows = other.rows;
  }

  /** What ended the copy before the source's end, or null. */
  public @Nullable GpdbException failure() {
    return failure;
  }

  /** Adds the row that the source is on. */
  public void append(RowSet source) {
    store(source, room());
    rows++;
  }

  /** Puts the row that the source is on in the place of the row that this is on. */
  public void replace(RowSet source) {
    store(source, at);
  }

  private void store(RowSet source, int row) {
    for (int i = 0; i < isString.length; i++) {
      nulls[i][row] = source.isNull(i);
      if (nulls[i][row]) {
        continue;
      }
      if (isString[i]) {
        byte[] string = source.bytes(i);
        charge(ARRAY_BYTES + string.length);
        strings[i][row] = string;
      } else {
        raws[i][row] = source.raw(i);
      }
    }
  }

  /** How many rows there are. */
  public int size() {
    return rows;
  }

  /** Moves to a row, counted from 0. */
  public void moveTo(int row) {
    at = row;
  }

  /** Adds a row of the given values: null, a String for a string column, a Number or a Boolean. */
  public void append(@Nullable Object... values) {
    int row = room();
    for (int i = 0; i < isString.length; i++) {
      switch (values[i]) {
        case null -> nulls[i][row] = true;
        case String text -> strings[i][row] = text.getBytes(StandardCharsets.UTF_8);
        case Boolean flag -> raws[i][row] = flag ? 1 : 0;
        case Number number -> raws[i][row] = number.longValue();
        default -> throw new IllegalArgumentException(String.valueOf(values[i]));
      }
    }
    rows++;
  }

  /** Counts bytes before they are kept; OUT_OF_MEMORY where they are too many. */
  private void charge(long bytes) {
    unchargedBytes += bytes;
    if (account != null && unchargedBytes >= CHARGED_AT_ONCE_BYTES) {
      account.charge(unchargedBytes);
      unchargedBytes = 0;
    }
  }

  /** The index of the next row, for which there is room. */
  private int room() {
    if (isString.length > 0 && rows == nulls[0].length) {
      charge((long) rows * isString.length * (Long.BYTES + 1));
    }
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
    return rows;
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
