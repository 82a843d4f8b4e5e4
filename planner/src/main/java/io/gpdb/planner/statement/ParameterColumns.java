package io.gpdb.planner.statement;

import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.ParameterFit;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.type.Utf8;
import io.gpdb.sql.type.UuidText;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a statement by column: the rows of a batch, and behind them the row being
 * bound. A setter converts to the parameter's type or raises; nothing is boxed.
 *
 * <p>Setters are called by one thread at a time. All else is called with the session's lock, also
 * while a setter runs: it sees of the row being bound what {@link #take} or {@link #addRow} has
 * taken over.
 */
public final class ParameterColumns {
  private final ParameterColumn[] columns;
  private int rows;
  private long nowMicros;
  private @Nullable SequenceNumbers numbers;

  public ParameterColumns(List<ParameterDef> parameters) {
    columns = new ParameterColumn[parameters.size()];
    for (int i = 0; i < columns.length; i++) {
      columns[i] = new ParameterColumn(i, parameters.get(i));
    }
  }

  public int count() {
    return columns.length;
  }

  /** Rows of the batch; the row being bound is not among them. */
  public int rows() {
    return rows;
  }

  public ParameterColumn column(int parameter) {
    return columns[parameter];
  }

  public SqlTypeSpec type(int parameter) {
    return columns[parameter].type();
  }

  public void setNull(int parameter) {
    columns[parameter].setNull();
  }

  /** An integer, converted to the parameter's type. */
  public void setLong(int parameter, long value) {
    ParameterColumn column = columns[parameter];
    if (column.isInteger()) {
      column.setInteger(value);
    } else {
      ParameterConversion.setLong(column, value);
    }
  }

  public void setDouble(int parameter, double value) {
    ParameterConversion.setDouble(columns[parameter], value);
  }

  public void setFloat(int parameter, float value) {
    ParameterColumn column = columns[parameter];
    if (column.type().kind() == SqlTypeSpec.Kind.REAL) {
      column.setRaw(Float.floatToRawIntBits(value));
    } else {
      ParameterConversion.setFloat(column, value);
    }
  }

  public void setBoolean(int parameter, boolean value) {
    ParameterConversion.setBoolean(columns[parameter], value);
  }

  public void setDecimal(int parameter, BigDecimal value) {
    ParameterConversion.setDecimal(columns[parameter], value);
  }

  public void setString(int parameter, String value) {
    ParameterColumn column = columns[parameter];
    if (column.type().kind().isCharacter()) {
      column.setBytes(Utf8.bytes(value));
    } else {
      ParameterConversion.setText(column, value);
    }
  }

  /** UTF-8 of a character parameter, a binary one's bytes, or the 16 of a UUID. */
  public void setBytes(int parameter, byte[] bytes, int offset, int length) {
    ParameterColumn column = columns[parameter];
    SqlTypeSpec.Kind kind = column.type().kind();
    boolean isUuid = kind == SqlTypeSpec.Kind.UUID && length == UuidText.BYTES;
    if (!kind.isCharacter() && kind != SqlTypeSpec.Kind.VARBINARY && !isUuid) {
      throw new GpdbException(
          SqlCondition.TYPE_MISMATCH,
          "parameter " + (parameter + 1) + " is " + column.type() + " and takes no bytes");
    }
    column.setBytes(Arrays.copyOfRange(bytes, offset, offset + length));
  }

  /** A date as days since 1970, converted to the parameter's type. */
  public void setDate(int parameter, int epochDay) {
    ParameterConversion.setDate(columns[parameter], epochDay);
  }

  /** A time as microseconds of the day. */
  public void setTime(int parameter, long micros) {
    ParameterConversion.setTime(columns[parameter], micros);
  }

  /** A timestamp as microseconds since 1970. */
  public void setTimestamp(int parameter, long micros) {
    ParameterConversion.setTimestamp(columns[parameter], micros);
  }

  /** An instant as microseconds since 1970 in UTC. */
  public void setInstant(int parameter, long micros) {
    ParameterConversion.setInstant(columns[parameter], micros);
  }

  /** An interval of a type, in months or microseconds. */
  public void setInterval(int parameter, SqlTypeSpec type, long value) {
    ParameterConversion.setInterval(columns[parameter], type, value);
  }

  /** Raw bits in the parameter's own representation. */
  public void setRaw(int parameter, long bits) {
    columns[parameter].setRaw(bits);
  }

  /** Ends the row being bound and adds it to the batch; its values stay bound for the next. */
  public void addRow() {
    for (ParameterColumn column : columns) {
      requireBound(column);
      column.reserve();
    }
    for (ParameterColumn column : columns) {
      column.addRow();
    }
    rows++;
  }

  /**
   * Adds a row to one column for each element; the others follow, then {@link #endAdded}. Where an
   * element is refused, those before it are added.
   *
   * @param nulls which of them are NULL instead; null: none
   */
  public void addInts(int parameter, int[] elements, boolean @Nullable [] nulls) {
    ParameterColumn column = columns[parameter];
    if (column.type().kind() == SqlTypeSpec.Kind.INTEGER) {
      column.addRows(elements, nulls);
      return;
    }
    addEach(parameter, elements.length, nulls, i -> setLong(parameter, elements[i]));
  }

  /** As {@link #addInts}. */
  public void addLongs(int parameter, long[] elements, boolean @Nullable [] nulls) {
    ParameterColumn column = columns[parameter];
    if (column.type().kind() == SqlTypeSpec.Kind.BIGINT) {
      column.addRows(elements, nulls);
      return;
    }
    addEach(parameter, elements.length, nulls, i -> setLong(parameter, elements[i]));
  }

  /** As {@link #addInts}. */
  public void addFloats(int parameter, float[] elements, boolean @Nullable [] nulls) {
    ParameterColumn column = columns[parameter];
    if (column.type().kind() == SqlTypeSpec.Kind.REAL) {
      column.addRows(elements, nulls);
      return;
    }
    addEach(parameter, elements.length, nulls, i -> setFloat(parameter, elements[i]));
  }

  /** As {@link #addInts}. */
  public void addDoubles(int parameter, double[] elements, boolean @Nullable [] nulls) {
    ParameterColumn column = columns[parameter];
    if (column.type().kind() == SqlTypeSpec.Kind.DOUBLE) {
      column.addRows(elements, nulls);
      return;
    }
    addEach(parameter, elements.length, nulls, i -> setDouble(parameter, elements[i]));
  }

  /**
   * As {@link #addInts}, of whatever {@code bind} binds of each number below {@code n}.
   *
   * @param nulls which of them are NULL instead; null: none
   */
  public void addEach(int parameter, int n, boolean @Nullable [] nulls, IntConsumer bind) {
    ParameterColumn column = columns[parameter];
    column.reserve(n);
    for (int i = 0; i < n; i++) {
      if (nulls != null && nulls[i]) {
        column.setNull();
      } else {
        bind.accept(i);
      }
      column.reserve();
      column.addRow();
    }
  }

  /** Rows of one column behind those of the batch. */
  public int added(int parameter) {
    return columns[parameter].rows() - rows;
  }

  /** Takes back what was added to one column, and not ended. */
  public void dropAdded(int parameter) {
    columns[parameter].dropRows(rows);
  }

  /** The rows that were added to each column, as many to each, are rows of the batch. */
  public void endAdded() {
    int added = columns[0].rows();
    for (ParameterColumn column : columns) {
      if (column.rows() != added) {
        throw new IllegalStateException(
            "column %d has %d rows, the first %d"
                .formatted(column.position() + 1, column.rows(), added));
      }
    }
    rows = added;
  }

  /** Forgets the batch; what is bound stays bound. */
  public void clearRows() {
    for (ParameterColumn column : columns) {
      column.clearRows();
    }
    rows = 0;
  }

  /** Forgets what is bound. */
  public void clearBound() {
    for (ParameterColumn column : columns) {
      column.unbind();
    }
  }

  private void requireBound(ParameterColumn column) {
    if (!column.isBound()) {
      throw new GpdbException(
          SqlCondition.PARAMETER_COUNT,
          "parameter " + (column.position() + 1) + " of " + columns.length + " has no value");
    }
  }

  /** The row being bound; every parameter must have a value. */
  public ParameterValues current() {
    take();
    return row(rows);
  }

  /**
   * What is bound is the row behind the batch, whatever is bound later; every parameter must have a
   * value.
   */
  public void take() {
    for (ParameterColumn column : columns) {
      requireBound(column);
      column.take();
    }
  }

  /** As {@link #take()}, of one parameter that has a value. */
  public void take(int parameter) {
    columns[parameter].take();
  }

  /**
   * How the row's values fit the types of their parameters; empty where all types can represent
   * them.
   */
  public List<ParameterFit> fits(int row) {
    if (isHeld(row)) {
      return List.of();
    }
    List<ParameterFit> fits = new ArrayList<>(columns.length);
    boolean held = true;
    for (ParameterColumn column : columns) {
      ParameterFit fit = column.wide(row) == null ? column.fit(row) : ParameterFit.HELD;
      held &= fit == ParameterFit.HELD;
      fits.add(fit);
    }
    return held ? List.of() : fits;
  }

  /** The types to plan the row for where it needs others than its parameters'; else null. */
  public @Nullable List<SqlTypeSpec> wideTypes(int row) {
    if (!isWide(row)) {
      return null;
    }
    List<SqlTypeSpec> types = new ArrayList<>(columns.length);
    for (ParameterColumn column : columns) {
      BigDecimal value = column.wide(row);
      SqlTypeSpec type = value == null ? null : WideValues.type(value);
      types.add(type == null ? column.type() : type);
    }
    return types;
  }

  private boolean isWide(int row) {
    for (ParameterColumn column : columns) {
      if (column.wide(row) != null) {
        return true;
      }
    }
    return false;
  }

  /** The row for a plan by {@link #wideTypes}. */
  public ParameterColumns widened(int row, List<ParameterDef> parameters) {
    ParameterColumns widened = new ParameterColumns(parameters);
    for (int i = 0; i < columns.length; i++) {
      BigDecimal wide = columns[i].wide(row);
      if (columns[i].isNull(row)) {
        widened.setNull(i);
      } else if (wide != null) {
        widened.setDecimal(i, wide);
      } else if (columns[i].type().kind().isString()) {
        widened.columns[i].setBytes(columns[i].bytes(row));
      } else {
        widened.setRaw(i, columns[i].raw(row));
      }
    }
    return widened;
  }

  /** Whether the row needs no plan of its own. */
  public boolean isHeld(int row) {
    for (ParameterColumn column : columns) {
      if (column.fit(row) != ParameterFit.HELD) {
        return false;
      }
    }
    return true;
  }

  /** Whether no row of the batch needs a plan of its own. */
  public boolean isHeld() {
    for (ParameterColumn column : columns) {
      if (!column.holdsFirst(rows)) {
        return false;
      }
    }
    return true;
  }

  /** Begins an execution of the batch: its rows have one time. */
  public void begin(SequenceNumbers sequences) {
    nowMicros = StatementValues.clockMicros();
    numbers = sequences;
  }

  /** The sequences, once an execution has begun. */
  public SequenceNumbers numbers() {
    SequenceNumbers known = numbers;
    if (known == null) {
      throw new IllegalStateException("the batch is not executed");
    }
    return known;
  }

  public long nowMicros() {
    return nowMicros;
  }

  /** One row of the batch. */
  public ParameterValues row(int row) {
    return new Row(row);
  }

  /** A view of one row. */
  private final class Row implements ParameterValues {
    private final int row;

    Row(int row) {
      this.row = row;
    }

    @Override
    public int count() {
      return columns.length;
    }

    @Override
    public boolean isNull(int parameter) {
      return columns[parameter].isNull(row);
    }

    @Override
    public long raw(int parameter) {
      return columns[parameter].raw(row);
    }

    @Override
    public byte[] bytes(int parameter) {
      return columns[parameter].bytes(row);
    }

    @Override
    public long nowMicros() {
      return nowMicros;
    }

    @Override
    public SequenceNumbers numbers() {
      return ParameterColumns.this.numbers();
    }
  }
}
