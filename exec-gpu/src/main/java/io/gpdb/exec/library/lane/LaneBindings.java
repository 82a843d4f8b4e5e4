package io.gpdb.exec.library.lane;

import io.gpdb.exec.library.lane.LaneInputs.Column;
import io.gpdb.exec.library.lane.LaneInputs.Parameter;
import io.gpdb.exec.library.lane.LaneInputs.Table;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The memory behind {@link LaneInputs} for one launch. Reusable; used by one thread at a time. */
public final class LaneBindings {
  private final LaneInputs inputs;
  private final @Nullable DeviceBuffer[] values;
  private final @Nullable DeviceBuffer[] validity;
  private final List<ParameterState> parameters = new ArrayList<>();
  private final @Nullable DeviceBuffer[] tables;
  private @Nullable RowMatch match;

  public LaneBindings(LaneInputs inputs) {
    this.inputs = inputs;
    values = new DeviceBuffer[inputs.columnCount()];
    validity = new DeviceBuffer[inputs.columnCount()];
    tables = new DeviceBuffer[inputs.tableCount()];
  }

  /**
   * Binds a column: at least as many elements as rows, and as many validity bits unless no value is
   * NULL. Segments are native and aligned to their element (validity: 4 bytes).
   */
  public LaneBindings column(
      Column column, DeviceBuffer columnValues, @Nullable DeviceBuffer columnValidity) {
    if (columnValidity != null && !column.nullable()) {
      throw new IllegalArgumentException("column " + column.name() + " is not nullable");
    }
    values[column.number()] = columnValues;
    validity[column.number()] = columnValidity;
    return this;
  }

  /** Raw bits: integers sign-extended, F32 in the low 32 bits, a predicate 0 or 1. */
  public LaneBindings parameter(Parameter parameter, long bits) {
    state(parameter.number()).set(bits, false);
    return this;
  }

  public LaneBindings parameterNull(Parameter parameter) {
    state(parameter.number()).set(0, true);
    return this;
  }

  /** A parameter may be declared after the bindings were made. */
  private ParameterState state(int number) {
    while (parameters.size() <= number) {
      parameters.add(new ParameterState());
    }
    return parameters.get(number);
  }

  public LaneBindings table(Table table, DeviceBuffer elements) {
    tables[table.number()] = elements;
    return this;
  }

  /** Has kernels look rows of another table up, or no more where null. */
  public LaneBindings match(@Nullable RowMatch rows) {
    match = rows;
    return this;
  }

  /** The part of the device's memory that has the rows' columns: that of the first one bound. */
  public int part() {
    for (DeviceBuffer column : values) {
      if (column != null) {
        return column.part();
      }
    }
    return 0;
  }

  @Nullable RowMatch match() {
    return match;
  }

  public LaneInputs inputs() {
    return inputs;
  }

  /** The values of a column, by its number. */
  public DeviceBuffer values(int column) {
    DeviceBuffer bound = values[column];
    if (bound == null) {
      throw new IllegalStateException("column " + inputs.column(column).name() + " is not bound");
    }
    return bound;
  }

  public @Nullable DeviceBuffer validity(int column) {
    return validity[column];
  }

  long parameter(int number) {
    if (!state(number).isSet) {
      throw new IllegalStateException(
          "parameter " + inputs.parameter(number).name() + " is not bound");
    }
    return state(number).bits;
  }

  boolean isParameterNull(int number) {
    return number < parameters.size() && parameters.get(number).isNull;
  }

  DeviceBuffer table(int number) {
    DeviceBuffer bound = tables[number];
    if (bound == null) {
      throw new IllegalStateException("table " + inputs.table(number).name() + " is not bound");
    }
    return bound;
  }

  /** What a parameter is bound to. */
  private static final class ParameterState {
    private long bits;
    private boolean isNull;
    private boolean isSet;

    void set(long newBits, boolean toNull) {
      bits = newBits;
      isNull = toNull;
      isSet = true;
    }
  }
}
