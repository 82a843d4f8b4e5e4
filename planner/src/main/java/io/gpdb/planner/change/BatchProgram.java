package io.gpdb.planner.change;

import io.gpdb.exec.Device;
import io.gpdb.exec.ir.KernelLimits;
import io.gpdb.exec.library.change.GridApplyBatch;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.planner.expression.KernelExpression;
import io.gpdb.planner.expression.KernelExpressions;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.RunInputs;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.planner.query.ScanShape;
import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.column.CodedStrings;
import io.gpdb.storage.column.ColumnView;
import io.gpdb.storage.column.ElementType;
import io.gpdb.txn.api.TableReader;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexVisitorImpl;
import org.jspecify.annotations.Nullable;

/**
 * The SET list of a batch as a kernel. A value that the expression compiler covers is computed by
 * the lane from the row and the batch's parameters, which it reads as columns of the batch; bare
 * parameters and what no kernel covers (strings) are <i>staged</i>: a column of the batch that the
 * host fills.
 */
final class BatchProgram {
  private final TableDef table;
  private final SetValues set;
  private final KernelExpressions expressions;
  private final GridApplyBatch kernel;
  private final List<Input> inputs = new ArrayList<>();
  private final int[] staged;

  /** A column of the batch: a parameter, or the new value of a set column. */
  record Input(LaneInputs.Column lane, int parameter, int set, ElementType element) {}

  private BatchProgram(Device device, ScanShape shape, SetValues set) {
    this.table = shape.table();
    this.set = set;
    RexBuilder builder = shape.rexBuilder();
    List<SqlTypeSpec> types = inputTypes(set);
    expressions = new KernelExpressions(types, builder);
    staged = new int[set.count()];
    List<GridApplyBatch.Target> targets = new ArrayList<>();
    for (int i = 0; i < set.count(); i++) {
      LaneProgram program = computed(i, expressions, new KernelExpressions(types, builder));
      staged[i] = program == null ? inputs.size() : -1;
      ElementType element = set.target(i).type().element();
      if (program == null) {
        LaneInputs.Column lane =
            expressions.inputs().column("new" + i, LaneInputs.element(element));
        inputs.add(new Input(lane, -1, i, element));
        program = l -> l.column(lane);
      }
      targets.add(
          new GridApplyBatch.Target(set.columns()[i], LaneInputs.element(element), program));
    }
    List<LaneInputs.Stored> reads = new ArrayList<>();
    for (int column : expressions.columnsRead()) {
      LaneInputs.Column lane = expressions.laneColumn(column);
      if (column < firstParameter()) {
        reads.add(new LaneInputs.Stored(lane, column));
      } else {
        inputs.add(new Input(lane, column - firstParameter(), -1, types.get(column).element()));
      }
    }
    String name = "update_" + table.name() + "_batch";
    kernel = new GridApplyBatch(device, name, expressions.inputs(), reads, targets);
  }

  /** The program, or null where a launch could not take that number of parameters. */
  static @Nullable BatchProgram of(Device device, ScanShape shape, SetValues set) {
    BatchProgram program = new BatchProgram(device, shape, set);
    LaneInputs inputs = program.expressions.inputs();
    // Of each set column: values, validity, old values and validity, log (two buffers at most).
    long buffers = 2L + 6L * set.count() + 2L * inputs.columnCount() + inputs.tableCount();
    long scalars = 1L + 2L * set.count() + inputs.parameterCount();
    return 16 * buffers + 8 * scalars <= KernelLimits.PARAMETER_BYTES_MAX ? program : null;
  }

  /** The table's columns, the row id, and behind them the parameters. */
  private List<SqlTypeSpec> inputTypes(SetValues values) {
    List<SqlTypeSpec> types = new ArrayList<>();
    table.columns().forEach(c -> types.add(c.type()));
    types.add(SqlTypeSpec.BIGINT);
    for (int i = 0; i < values.count(); i++) {
      values
          .node(i)
          .accept(
              new RexVisitorImpl<Void>(true) {
                @Override
                public @Nullable Void visitDynamicParam(RexDynamicParam parameter) {
                  while (types.size() <= firstParameter() + parameter.getIndex()) {
                    types.add(SqlTypeSpec.BIGINT);
                  }
                  types.set(firstParameter() + parameter.getIndex(), typeOrText(parameter));
                  return null;
                }
              });
    }
    return types;
  }

  private static SqlTypeSpec typeOrText(RexDynamicParam parameter) {
    try {
      return RexValues.spec(parameter.getType());
    } catch (NotCovered e) {
      return SqlTypeSpec.VARCHAR;
    }
  }

  private int firstParameter() {
    return table.columns().size() + 1;
  }

  /** The lane program of value i, or null; {@code trial} is thrown away. */
  private @Nullable LaneProgram computed(int i, KernelExpressions real, KernelExpressions trial) {
    if (set.parameter(i) >= 0) {
      return null;
    }
    try {
      RexNode node = overBatch(set.node(i));
      assignment(i, trial, node);
      return assignment(i, real, node);
    } catch (NotCovered e) {
      return null;
    }
  }

  private LaneProgram assignment(int i, KernelExpressions in, RexNode node) throws NotCovered {
    KernelExpression value = in.compile(node);
    ColumnTarget target = set.target(i);
    boolean unchanged = target.takesUnchanged(value.type());
    return in.assigned(value, target.type(), unchanged, target.nullable());
  }

  /** Parameters as input columns of the batch. */
  private RexNode overBatch(RexNode node) throws NotCovered {
    boolean[] covered = {true};
    RexNode result =
        node.accept(
            new RexShuttle() {
              @Override
              public RexNode visitDynamicParam(RexDynamicParam parameter) {
                covered[0] &= !typeOrText(parameter).kind().isString();
                return new RexInputRef(
                    firstParameter() + parameter.getIndex(), parameter.getType());
              }

              @Override
              public RexNode visitInputRef(RexInputRef input) {
                covered[0] &= input.getIndex() < table.columns().size();
                return input;
              }
            });
    if (!covered[0]) {
      throw new NotCovered("strings of a batch, or the row id");
    }
    return result;
  }

  GridApplyBatch kernel() {
    return kernel;
  }

  KernelExpressions expressions() {
    return expressions;
  }

  /** The columns of the batch. */
  List<Input> inputs() {
    return inputs;
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
    LaneBindings lane = new LaneBindings(expressions.inputs());
    for (int i = 0; i < inputs.size(); i++) {
      lane.column(inputs.get(i).lane(), data[i].values(), data[i].validity());
    }
    expressions.bind(
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
        });
    return lane;
  }
}
