package io.gpdb.planner.statement;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of one parameter over the rows of a batch. Fixed-width values lie in {@code values};
 * of a string, {@code values} holds the position of its bytes in the arena and their length.
 */
public final class ParameterColumn {
  private static final int ROWS_MAX = 1 << 26;
  private static final int FIRST_ROWS = 1;

  private final int position;
  private final SqlTypeSpec type;
  private final ParameterDef.Use use;
  private final boolean integer;
  private final long least;
  private final long greatest;
  private long[] values = new long[FIRST_ROWS];
  private boolean[] nulls = new boolean[FIRST_ROWS];
  private byte[] arena = {};
  private int arenaUsed;

  /** Of each row; null where the type holds the value, as it does beyond the array's end. */
  private @Nullable ParameterFit[] fits = {};

  /** For each row whose value is an operand and does not fit the type: the value as given. */
  private @Nullable BigDecimal[] wides = {};

  private int boundRow = -1;
  private boolean hasNulls;

  ParameterColumn(int position, ParameterDef parameter) {
    this.position = position;
    this.type = parameter.type();
    this.use = parameter.use();
    Kind kind = type.kind();
    integer = kind == Kind.INTEGER || kind == Kind.BIGINT || kind == Kind.SMALLINT;
    least = least(kind);
    greatest = ~least;
  }

  private static long least(Kind kind) {
    return switch (kind) {
      case SMALLINT -> Short.MIN_VALUE;
      case INTEGER -> Integer.MIN_VALUE;
      default -> Long.MIN_VALUE;
    };
  }

  /** The least value that an exact numeric type holds. */
  BigDecimal least() {
    return type.kind() == Kind.DECIMAL ? greatest().negate() : BigDecimal.valueOf(least);
  }

  /** The greatest value that an exact numeric type holds. */
  BigDecimal greatest() {
    return type.kind() == Kind.DECIMAL
        ? BigDecimal.TEN.pow(type.precision()).subtract(BigDecimal.ONE).movePointLeft(type.scale())
        : BigDecimal.valueOf(greatest);
  }

  int position() {
    return position;
  }

  public SqlTypeSpec type() {
    return type;
  }

  boolean isInteger() {
    return integer;
  }

  public boolean isNull(int row) {
    return nulls[row];
  }

  /** Whether any row so far is NULL. */
  public boolean hasNulls() {
    return hasNulls;
  }

  public long raw(int row) {
    return nulls[row] ? 0 : values[row];
  }

  /** The raw values of all rows; what stands under a NULL has no meaning. */
  public long[] rawValues() {
    return values;
  }

  /** Where the bytes of strings lie; see {@link #offset} and {@link #length}. */
  public byte[] arena() {
    return arena;
  }

  public int offset(int row) {
    return (int) (values[row] >>> 32);
  }

  public int length(int row) {
    return (int) values[row];
  }

  public byte[] bytes(int row) {
    if (nulls[row]) {
      return new byte[0];
    }
    return Arrays.copyOfRange(arena, offset(row), offset(row) + length(row));
  }

  void setInteger(int row, long value) {
    if (value >= least && value <= greatest) {
      setRaw(row, value);
    } else if (isCompared()) {
      setUnheld(row, 0, value < least ? ParameterFit.BELOW : ParameterFit.ABOVE);
    } else if (isReckoned()) {
      setWide(row, BigDecimal.valueOf(value));
    } else {
      throw outOfRange(Long.toString(value));
    }
  }

  GpdbException outOfRange(String value) {
    return new GpdbException(
        ErrorCode.NUMERIC_OUT_OF_RANGE,
        "parameter " + (position + 1) + " is out of range for " + type + ": " + value);
  }

  /** Whether a value may be bound that the type does not hold. */
  boolean isCompared() {
    return use == ParameterDef.Use.COMPARED;
  }

  /** Whether values are operands, so that they need not fit the type. */
  boolean isReckoned() {
    return use == ParameterDef.Use.COMPUTED;
  }

  /** A value that the type does not hold: the statement is planned for the value's own type. */
  void setWide(int row, BigDecimal value) {
    if (WideValues.type(value) == null) {
      throw outOfRange(value.toString());
    }
    setUnheld(row, 0, ParameterFit.BETWEEN);
    if (row >= wides.length) {
      wides = Arrays.copyOf(wides, values.length);
    }
    wides[row] = value;
  }

  /** The row's value where it needs a plan for its own type; else null. */
  @Nullable BigDecimal wide(int row) {
    return isReckoned() && row < wides.length && fit(row) != ParameterFit.HELD ? wides[row] : null;
  }

  /** How the row's value lies to those that the type holds. */
  ParameterFit fit(int row) {
    ParameterFit fit = row < fits.length ? fits[row] : null;
    return fit == null ? ParameterFit.HELD : fit;
  }

  /** Whether the type holds the values of that many rows, from the first on. */
  boolean holdsFirst(int rows) {
    for (int row = 0; row < Math.min(rows, fits.length); row++) {
      if (fit(row) != ParameterFit.HELD) {
        return false;
      }
    }
    return true;
  }

  /** A value that the type does not hold; {@code below} is the next lesser where there is one. */
  void setUnheld(int row, long below, ParameterFit fit) {
    setRaw(row, below);
    setFit(row, fit);
  }

  private void setFit(int row, ParameterFit fit) {
    if (row >= fits.length) {
      if (fit == ParameterFit.HELD) {
        return;
      }
      fits = Arrays.copyOf(fits, values.length);
    }
    fits[row] = fit;
  }

  /** Refuses a value that would be rounded where it is computed with. */
  void requireHeld(boolean held, Object value) {
    if (use != ParameterDef.Use.STORED && !held) {
      throw new GpdbException(
          SqlCondition.INVALID_CAST,
          "parameter %d is of type %s where it stands, which does not hold %s; write CAST(? AS type)"
              .formatted(position + 1, type, value));
    }
  }

  void setRaw(int row, long bits) {
    if (row >= values.length) {
      grow(row);
    }
    values[row] = bits;
    nulls[row] = false;
    boundRow = row;
    setFit(row, ParameterFit.HELD);
  }

  void setNull(int row) {
    setRaw(row, 0);
    nulls[row] = true;
    hasNulls = true;
  }

  void setBytes(int row, byte[] bytes, int from, int length) {
    if (arenaUsed + length > arena.length) {
      growArena(length);
    }
    System.arraycopy(bytes, from, arena, arenaUsed, length);
    setRaw(row, (long) arenaUsed << 32 | length);
    arenaUsed += length;
  }

  boolean isBound(int row) {
    return boundRow == row;
  }

  /** The value of the row is also that of the next, until it is set anew. */
  void carry(int row) {
    if (row + 1 >= values.length) {
      grow(row + 1);
    }
    values[row + 1] = values[row];
    nulls[row + 1] = nulls[row];
    boundRow = row + 1;
    setFit(row + 1, fit(row));
    BigDecimal wide = wide(row);
    if (wide != null) {
      setWide(row + 1, wide);
    }
  }

  /** Back to an empty batch with the bound row first. */
  void restart(int row) {
    ParameterFit fit = fit(row);
    BigDecimal wide = wide(row);
    fits = new @Nullable ParameterFit[0];
    wides = new @Nullable BigDecimal[0];
    if (boundRow == row && row < values.length) {
      if (type.kind().isString() && !nulls[row]) {
        byte[] bound = bytes(row);
        arenaUsed = 0;
        setBytes(0, bound, 0, bound.length);
      } else {
        values[0] = values[row];
        arenaUsed = 0;
      }
      nulls[0] = nulls[row];
      boundRow = 0;
      hasNulls = nulls[0];
      setFit(0, fit);
      if (wide != null) {
        setWide(0, wide);
      }
    } else {
      unbind();
      arenaUsed = 0;
      hasNulls = false;
    }
  }

  void unbind() {
    boundRow = -1;
  }

  private void grow(int row) {
    if (row >= ROWS_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED, "a batch holds at most " + ROWS_MAX + " rows");
    }
    int size = Math.max(row + 1, Math.min(ROWS_MAX, values.length * 2));
    values = Arrays.copyOf(values, size);
    nulls = Arrays.copyOf(nulls, size);
  }

  private void growArena(int length) {
    long needed = (long) arenaUsed + length;
    if (needed > Integer.MAX_VALUE - 8) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "strings of parameter " + (position + 1) + " take more than 2 GiB in one batch");
    }
    long size = Math.min(Integer.MAX_VALUE - 8, Math.max(needed, Math.max(64, arena.length * 2L)));
    arena = Arrays.copyOf(arena, (int) size);
  }
}
