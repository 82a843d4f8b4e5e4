package io.gpdb.planner.statement;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.SqlTypeSpec.Kind;
import io.gpdb.sql.type.WideDecimal;
import io.gpdb.storage.column.Bitmaps;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import io.gpdb.storage.memory.MemoryAccount;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The values of one parameter: of the rows of a batch, and behind them that of the row last taken
 * over, whose number is theirs plus one. Rows that were added are outside the heap, as a table
 * stores values of the type: an INSERT takes them from there. Of a string, the value is the
 * position of its bytes in the arena and their length.
 *
 * <p>What is bound is the binding thread's, who takes no lock. Whoever adds or runs the row takes
 * it over first, and looks at nothing else of it: a thread that binds meanwhile may change which
 * value is taken over, and nothing of a row that is being run.
 */
public final class ParameterColumn {
  private static final int ROWS_MAX = 1 << 26;
  private static final int FIRST_ROWS = 64;
  private static final byte ONES = -1;

  /** What an empty column keeps for the next batch. */
  private static final int KEPT_ROWS_MAX = 1 << 17;

  private final int position;
  private final SqlTypeSpec type;
  private final ParameterDef.Use use;
  private final boolean integer;
  private final long least;
  private final long greatest;
  private final ElementType element;
  private final boolean string;

  /** The row being bound. */
  private boolean bound;

  private boolean boundNull;
  private long boundRaw;
  private byte @Nullable [] boundBytes; // never changed
  private @Nullable Unheld boundUnheld;

  /** The row taken over. */
  private boolean takenNull;

  private long takenRaw;
  private byte @Nullable [] takenBytes;
  private @Nullable Unheld takenUnheld;

  /**
   * Of a value that the type does not hold.
   *
   * @param wide the value as it was bound, where it is an operand
   */
  private record Unheld(ParameterFit fit, @Nullable BigDecimal wide) {}

  private int rows;
  private int capacity;
  private MemorySegment values = MemorySegment.NULL;

  /** One bit for each row; ones behind them. */
  private MemorySegment validity = MemorySegment.NULL;

  private boolean hasNulls;

  private byte[] arena = {};

  /** Behind the strings of the rows. */
  private int arenaRows;

  /** The string that was added last, and where: it may be that of many rows. */
  private byte @Nullable [] addedBytes;

  private long added;

  /** Of each row; null where the type holds the value, as it does beyond the array's end. */
  private @Nullable Unheld[] unheld = {};

  ParameterColumn(int position, ParameterDef parameter) {
    this.position = position;
    this.type = parameter.type();
    this.use = parameter.use();
    Kind kind = type.kind();
    string = kind.isString();
    element = string ? ElementType.I64 : type.element();
    integer = kind.isInteger();
    least = least(kind);
    greatest = ~least;
  }

  private static long least(Kind kind) {
    return switch (kind) {
      case TINYINT -> Byte.MIN_VALUE;
      case SMALLINT -> Short.MIN_VALUE;
      case INTEGER -> Integer.MIN_VALUE;
      default -> Long.MIN_VALUE;
    };
  }

  /** The least value that an exact numeric type holds. */
  BigDecimal least() {
    return type.kind().isDecimal() ? greatest().negate() : BigDecimal.valueOf(least);
  }

  /** The greatest value that an exact numeric type holds. */
  BigDecimal greatest() {
    return type.kind().isDecimal()
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
    return row == rows ? takenNull : hasNulls && !Bitmaps.test(validity, row);
  }

  /** Whether any row added is NULL. */
  public boolean hasNulls() {
    return hasNulls;
  }

  public long raw(int row) {
    return isNull(row) ? 0 : bits(row);
  }

  /** Of n rows that were added, none of which is NULL. */
  public long[] raws(int first, int n) {
    long[] raws = new long[n];
    long width = element.bytes();
    element.read(values.asSlice(first * width, n * width), raws);
    return raws;
  }

  private long bits(int row) {
    return row == rows ? takenRaw : element.rawAt(values, row);
  }

  /**
   * The memory of rows that were added: good until the next one is.
   *
   * @param first a multiple of 32
   */
  public ColumnView data(int first, int n) {
    long width = element.bytes();
    return ColumnView.mapped(
        MemoryAccount.current().memory(),
        element,
        values.asSlice(first * width, n * width),
        hasNulls ? validity.asSlice(Bitmaps.bytes(first), Bitmaps.bytes(n)) : null);
  }

  /** The bytes of strings; see {@link #offset} and {@link #length}. */
  public byte[] arena() {
    return arena;
  }

  public int offset(int row) {
    return (int) (bits(row) >>> 32);
  }

  public int length(int row) {
    return (int) bits(row);
  }

  public byte[] bytes(int row) {
    if (isNull(row)) {
      return new byte[0];
    }
    if (row == rows) {
      return takenBytes == null ? new byte[0] : takenBytes.clone();
    }
    return Arrays.copyOfRange(arena, offset(row), offset(row) + length(row));
  }

  void setInteger(long value) {
    if (value >= least && value <= greatest) {
      setRaw(value);
    } else if (isCompared()) {
      setUnheldNumber(value < least ? ParameterFit.BELOW : ParameterFit.ABOVE);
    } else if (isComputed()) {
      setWide(BigDecimal.valueOf(value));
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
  boolean isComputed() {
    return use == ParameterDef.Use.COMPUTED;
  }

  /** A value that the type does not hold: the statement is planned for the value's own type. */
  void setWide(BigDecimal value) {
    if (WideValues.type(value) == null) {
      throw outOfRange(value.toString());
    }
    setUnheldNumber(ParameterFit.BETWEEN);
    boundUnheld = new Unheld(ParameterFit.BETWEEN, value);
  }

  /** The row's value where it needs a plan for its own type; else null. */
  @Nullable BigDecimal wide(int row) {
    Unheld of = unheld(row);
    return of == null ? null : of.wide;
  }

  private @Nullable Unheld unheld(int row) {
    if (row == rows) {
      return takenUnheld;
    }
    return row < unheld.length ? unheld[row] : null;
  }

  /** How the row's value fits the values that the type can represent. */
  ParameterFit fit(int row) {
    Unheld of = unheld(row);
    return of == null ? ParameterFit.HELD : of.fit;
  }

  /** Whether the type holds the values of that many rows, from the first on. */
  boolean holdsFirst(int rows) {
    for (int row = 0; row < Math.min(rows, unheld.length); row++) {
      if (fit(row) != ParameterFit.HELD) {
        return false;
      }
    }
    return true;
  }

  /** A value that the type does not hold; {@code below} is the next lesser where there is one. */
  void setUnheld(long below, ParameterFit fit) {
    setRaw(below);
    boundUnheld = new Unheld(fit, null);
  }

  /** A number that is not between two of the type. */
  void setUnheldNumber(ParameterFit fit) {
    if (type.kind() == Kind.WIDE_DECIMAL) {
      setUnheld(BigDecimal.ZERO, fit);
    } else {
      setUnheld(0, fit);
    }
  }

  /** As {@link #setUnheld(long, ParameterFit)}, of a decimal. */
  void setUnheld(BigDecimal below, ParameterFit fit) {
    setDecimal(below);
    boundUnheld = new Unheld(fit, null);
  }

  /** A number with the digits after the point that the type, a DECIMAL, has. */
  void setDecimal(BigDecimal number) {
    if (type.kind() == Kind.WIDE_DECIMAL) {
      setBytes(WideDecimal.bytes(number, type.scale()));
    } else {
      setRaw(number.unscaledValue().longValueExact());
    }
  }

  /** Refuses a value that would be rounded where it is computed with. */
  void requireHeld(boolean held, Object value) {
    if (use != ParameterDef.Use.STORED && !held) {
      throw new GpdbException(
          SqlCondition.INVALID_CAST,
          "parameter %d has type %s in its place, which cannot represent %s; write CAST(? AS type)"
              .formatted(position + 1, type, value));
    }
  }

  void setRaw(long bits) {
    boundRaw = bits;
    boundNull = false;
    bound = true;
    boundUnheld = null;
  }

  void setNull() {
    setRaw(0);
    boundNull = true;
  }

  /** Bytes that nobody changes any more. */
  void setBytes(byte[] bytes) {
    boundBytes = bytes;
    setRaw(bytes.length);
  }

  boolean isBound() {
    return bound;
  }

  /** What is bound now is the value of the row behind those that were added. */
  void take() {
    takenRaw = boundRaw;
    takenNull = boundNull;
    takenBytes = boundBytes;
    takenUnheld = boundUnheld;
  }

  /** Takes the value over and makes room for one more row. */
  void reserve() {
    take();
    if (rows >= capacity) {
      grow(rows + 1L);
    }
    byte[] bytes = string && !takenNull ? takenBytes : null;
    if (bytes != null && arenaRows + bytes.length > arena.length) {
      growArena(bytes.length);
    }
  }

  /** The value taken over is that of one more row, for which there is room. */
  void addRow() {
    int row = rows;
    byte[] bytes = string && !takenNull ? takenBytes : null;
    element.setRawAt(values, row, bytes == null ? takenRaw : add(bytes));
    if (takenNull) {
      Bitmaps.set(validity, row, false);
      hasNulls = true;
    }
    if (takenUnheld != null) {
      addUnheld(row);
    }
    rows = row + 1;
  }

  /** Rows that were added. */
  int rows() {
    return rows;
  }

  /**
   * Adds a row for each element; the type, an INTEGER, is stored as they are.
   *
   * @param nulls which of them are NULL instead; null: none
   */
  void addRows(int[] elements, boolean @Nullable [] nulls) {
    addRows(MemorySegment.ofArray(elements), elements.length, nulls);
  }

  /** As {@link #addRows(int[], boolean[])}, of a BIGINT. */
  void addRows(long[] elements, boolean @Nullable [] nulls) {
    addRows(MemorySegment.ofArray(elements), elements.length, nulls);
  }

  /** As {@link #addRows(int[], boolean[])}, of a REAL. */
  void addRows(float[] elements, boolean @Nullable [] nulls) {
    addRows(MemorySegment.ofArray(elements), elements.length, nulls);
  }

  /** As {@link #addRows(int[], boolean[])}, of a DOUBLE PRECISION. */
  void addRows(double[] elements, boolean @Nullable [] nulls) {
    addRows(MemorySegment.ofArray(elements), elements.length, nulls);
  }

  private void addRows(MemorySegment array, int n, boolean @Nullable [] nulls) {
    reserve(n);
    int first = rows;
    MemorySegment.copy(array, 0, values, (long) first * element.bytes(), array.byteSize());
    rows = first + n;
    for (int i = 0; nulls != null && i < n; i++) {
      if (nulls[i]) {
        element.setRawAt(values, first + i, 0);
        Bitmaps.set(validity, first + i, false);
        hasNulls = true;
      }
    }
  }

  /** Makes room for more rows. */
  void reserve(int n) {
    if ((long) rows + n > capacity) {
      grow((long) rows + n);
    }
  }

  /** Takes back the rows behind {@code rows}. */
  void dropRows(int rows) {
    for (int row = rows; hasNulls && row < this.rows; row++) {
      Bitmaps.set(validity, row, true);
    }
    if (unheld.length > rows) {
      unheld = Arrays.copyOf(unheld, rows);
    }
    this.rows = rows;
  }

  @SuppressWarnings("ReferenceEquality") // arrays that nobody changes
  private long add(byte[] bytes) {
    if (bytes != addedBytes) {
      System.arraycopy(bytes, 0, arena, arenaRows, bytes.length);
      added = (long) arenaRows << 32 | bytes.length;
      addedBytes = bytes;
      arenaRows += bytes.length;
    }
    return added;
  }

  private void addUnheld(int row) {
    if (row >= unheld.length) {
      unheld = Arrays.copyOf(unheld, capacity);
    }
    unheld[row] = takenUnheld;
  }

  /** Back to an empty batch; what is bound stays bound. */
  void clearRows() {
    unheld = new @Nullable Unheld[0];
    if (hasNulls) {
      validity.asSlice(0, Bitmaps.bytes(rows)).fill(ONES);
    }
    rows = 0;
    hasNulls = false;
    arenaRows = 0;
    addedBytes = null;
    if (capacity > KEPT_ROWS_MAX) {
      capacity = 0;
      values = MemorySegment.NULL;
      validity = MemorySegment.NULL;
    }
  }

  void unbind() {
    bound = false;
  }

  /** The collector frees what was outgrown, as it does all when nobody knows the statement. */
  private void grow(long needed) {
    if (needed > ROWS_MAX) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED, "a batch holds at most " + ROWS_MAX + " rows");
    }
    int size = (int) Math.max(Math.max(FIRST_ROWS, needed), Math.min(ROWS_MAX, capacity * 2L));
    MemorySegment largerValues = Arena.ofAuto().allocate((long) size * element.bytes(), 64);
    MemorySegment largerValidity = Arena.ofAuto().allocate(Bitmaps.bytes(size), 64);
    MemorySegment.copy(values, 0, largerValues, 0, values.byteSize());
    MemorySegment.copy(validity, 0, largerValidity, 0, validity.byteSize());
    largerValidity.asSlice(validity.byteSize()).fill(ONES);
    values = largerValues;
    validity = largerValidity;
    capacity = size;
  }

  private void growArena(int length) {
    long needed = (long) arenaRows + length;
    if (needed > Integer.MAX_VALUE - 8) {
      throw new GpdbException(
          ErrorCode.LIMIT_EXCEEDED,
          "strings of parameter " + (position + 1) + " take more than 2 GiB in one batch");
    }
    long size = Math.min(Integer.MAX_VALUE - 8, Math.max(needed, Math.max(64, arena.length * 2L)));
    arena = Arrays.copyOf(arena, (int) size);
  }
}
