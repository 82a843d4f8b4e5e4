package io.gpdb.planner.keyed;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.KernelLimits;
import io.gpdb.exec.library.change.GridApplyBatch;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.planner.expression.RunInputs;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.expression.kernel.KernelValues;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The SET list of a batch as a kernel. A value that the expression compiler covers is computed by
 * the lane from the row and the batch's parameters, which it reads as columns of the batch; bare
 * parameters and what no kernel covers (strings) are <i>staged</i>: a column of the batch that the
 * host fills.
 */
final class BatchProgram {
  private final KernelValues values;
  private final GridApplyBatch kernel;
  private final List<Input> inputs = new ArrayList<>();
  private final int[] staged;

  /** A column of the batch: a parameter, or the new value of a set column. */
  record Input(LaneInputs.Column lane, int parameter, int set, ElementType element) {}

  private BatchProgram(Device device, TableDef table, SetValues set, BatchValues computed) {
    values = computed.values();
    staged = new int[set.count()];
    List<GridApplyBatch.Target> targets = new ArrayList<>();
    for (int i = 0; i < set.count(); i++) {
      LaneProgram program = computed.programs()[i];
      staged[i] = program == null ? inputs.size() : -1;
      ElementType element = set.target(i).type().element();
      if (program == null) {
        LaneInputs.Column lane = values.inputs().column("new" + i, LaneInputs.element(element));
        inputs.add(new Input(lane, -1, i, element));
        targets.add(
            GridApplyBatch.Target.given(set.columns()[i], LaneInputs.element(element), lane));
      } else {
        targets.add(
            new GridApplyBatch.Target(
                set.columns()[i], LaneInputs.element(element), program, null, computed.sums()[i]));
      }
    }
    int firstParameter = BatchValues.firstParameter(table);
    List<LaneInputs.Stored> reads = new ArrayList<>();
    for (int column : values.columnsRead()) {
      LaneInputs.Column lane = values.laneColumn(column);
      if (column < firstParameter) {
        reads.add(new LaneInputs.Stored(lane, column));
      } else {
        ElementType element = computed.inputTypes().get(column).element();
        inputs.add(new Input(lane, column - firstParameter, -1, element));
      }
    }
    String name = "update_" + table.name() + "_batch";
    kernel = new GridApplyBatch(device, name, values.inputs(), reads, targets);
  }

  /** The program, or null where a launch could not take that number of parameters. */
  static @Nullable BatchProgram of(
      Device device, TableDef table, SetValues set, BatchValues computed) {
    BatchProgram program = new BatchProgram(device, table, set, computed);
    LaneInputs inputs = program.values.inputs();
    // Of each set column: values, validity, old values and validity, log (two buffers at most).
    long buffers = 2L + 6L * set.count() + 2L * inputs.columnCount() + inputs.tableCount();
    long scalars = 1L + 2L * set.count() + inputs.parameterCount();
    return 16 * buffers + 8 * scalars <= KernelLimits.PARAMETER_BYTES_MAX ? program : null;
  }

  GridApplyBatch kernel() {
    return kernel;
  }

  KernelValues values() {
    return values;
  }

  /** The columns of the batch. */
  List<Input> inputs() {
    return inputs;
  }

  /** The parameter that is a column of the batch. */
  int parameterOf(LaneInputs.Column lane) {
    for (Input input : inputs) {
      if (input.lane().equals(lane) && input.parameter() >= 0) {
        return input.parameter();
      }
    }
    throw new IllegalArgumentException("no parameter: " + lane);
  }

  /** Where the host puts set column i; -1 where the kernel computes it. */
  int staged(int i) {
    return staged[i];
  }

  boolean computesAny() {
    for (int place : staged) {
      if (place < 0) {
        return true;
      }
    }
    return false;
  }

  /**
   * Binds what is not in the tablets.
   *
   * @param data the columns of the batch, in the order of the inputs
   */
  LaneBindings bind(TableReader reader, ColumnView[] data, ParameterValues parameters) {
    LaneBindings lane = new LaneBindings(values.inputs());
    for (int i = 0; i < inputs.size(); i++) {
      lane.column(inputs.get(i).lane(), data[i].values(), data[i].validity());
    }
    values.bind(
        lane,
        new RunInputs() {
          @Override
          public ParameterValues parameters() {
            return parameters;
          }

          @Override
          public @Nullable StringDomain domain(int column) {
            CodedStrings strings = reader.strings(column);
            return strings == null ? null : new StringDomain.Stored(strings);
          }

          @Override
          public void share(int pieces, IntConsumer piece) {
            for (int i = 0; i < pieces; i++) {
              piece.accept(i);
            }
          }
        });
    return lane;
  }
}
