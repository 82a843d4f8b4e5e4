package io.gpdb.exec.library.lane;

import io.gpdb.exec.Arguments;
import io.gpdb.storage.memory.DeviceBuffer;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The positions of the inputs of lane programs among a kernel's parameters. */
public final class LaneLayout {
  private static final int ABSENT = -1;

  private final int[] columnBuffer;
  private final int[] validityBuffer;
  private final int[] parameterScalar;
  private final int[] tableBuffer;
  private @Nullable LaneLayout ofMatch;

  LaneLayout(LaneInputs inputs) {
    columnBuffer = absent(inputs.columnCount());
    validityBuffer = absent(inputs.columnCount());
    parameterScalar = absent(inputs.parameterCount());
    tableBuffer = absent(inputs.tableCount());
  }

  private static int[] absent(int length) {
    int[] positions = new int[length];
    Arrays.fill(positions, ABSENT);
    return positions;
  }

  boolean hasColumn(int column) {
    return columnBuffer[column] != ABSENT;
  }

  int columnBuffer(int column) {
    return columnBuffer[column];
  }

  public void columnBuffer(int column, int buffer) {
    columnBuffer[column] = buffer;
  }

  boolean hasValidity(int column) {
    return validityBuffer[column] != ABSENT;
  }

  int validityBuffer(int column) {
    return validityBuffer[column];
  }

  public void validityBuffer(int column, int buffer) {
    validityBuffer[column] = buffer;
  }

  void parameterScalar(int parameter, int scalar) {
    parameterScalar[parameter] = scalar;
  }

  boolean hasTable(int table) {
    return tableBuffer[table] != ABSENT;
  }

  int tableBuffer(int table) {
    return tableBuffer[table];
  }

  void tableBuffer(int table, int buffer) {
    tableBuffer[table] = buffer;
  }

  /** What the look-up of another table's rows reads. */
  void ofMatch(LaneLayout layout) {
    ofMatch = layout;
  }

  /** Binds everything that the kernel's programs read. */
  public void bind(Arguments arguments, LaneBindings bindings) {
    for (int i = 0; i < columnBuffer.length; i++) {
      if (columnBuffer[i] != ABSENT) {
        arguments.buffer(columnBuffer[i], bindings.values(i));
      }
      if (validityBuffer[i] != ABSENT) {
        arguments.buffer(validityBuffer[i], required(bindings.validity(i)));
      }
    }
    bindParameters(arguments, bindings);
    for (int i = 0; i < tableBuffer.length; i++) {
      if (tableBuffer[i] != ABSENT) {
        arguments.buffer(tableBuffer[i], bindings.table(i));
      }
    }
    RowMatch match = bindings.match();
    if (match != null) {
      match.bind(arguments, Objects.requireNonNull(ofMatch));
    }
  }

  /** Binds the parameters alone, of arguments that have all else. */
  public void bindParameters(Arguments arguments, LaneBindings bindings) {
    for (int i = 0; i < parameterScalar.length; i++) {
      if (parameterScalar[i] != ABSENT) {
        arguments.scalar(parameterScalar[i], bindings.parameter(i));
      }
    }
  }

  private static DeviceBuffer required(@Nullable DeviceBuffer buffer) {
    if (buffer == null) {
      throw new IllegalStateException("the bindings changed while a launch was prepared");
    }
    return buffer;
  }
}
