package io.gpdb.planner.keyed;

import io.gpdb.exec.library.change.GridApplyBatch.Sum;
import io.gpdb.exec.library.lane.LaneProgram;
import io.gpdb.planner.change.ColumnTarget;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.planner.expression.compiler.KernelExpressions;
import io.gpdb.planner.expression.kernel.KernelExpression;
import io.gpdb.planner.query.ScanShape;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexVisitorImpl;
import org.jspecify.annotations.Nullable;

/** The values of a planned SET list that the kernel of a batch computes. */
final class BatchExpressions {
  private final TableDef table;
  private final SetValues set;
  private final int firstParameter;

  private BatchExpressions(TableDef table, SetValues set) {
    this.table = table;
    this.set = set;
    firstParameter = BatchValues.firstParameter(table);
  }

  static BatchValues of(ScanShape shape, SetValues set) {
    return new BatchExpressions(shape.table(), set).values(shape.rexBuilder());
  }

  private BatchValues values(RexBuilder builder) {
    List<SqlTypeSpec> types = inputTypes();
    KernelExpressions expressions = new KernelExpressions(types, builder);
    @Nullable LaneProgram[] programs = new @Nullable LaneProgram[set.count()];
    for (int i = 0; i < programs.length; i++) {
      programs[i] = computed(i, expressions, new KernelExpressions(types, builder));
    }
    return new BatchValues(types, expressions, programs, new @Nullable Sum[programs.length]);
  }

  /** The table's columns, the row id, and behind them the parameters. */
  private List<SqlTypeSpec> inputTypes() {
    List<SqlTypeSpec> types = BatchValues.rowTypes(table);
    for (int i = 0; i < set.count(); i++) {
      set.node(i)
          .accept(
              new RexVisitorImpl<Void>(true) {
                @Override
                public @Nullable Void visitDynamicParam(RexDynamicParam parameter) {
                  while (types.size() <= firstParameter + parameter.getIndex()) {
                    types.add(SqlTypeSpec.BIGINT);
                  }
                  types.set(firstParameter + parameter.getIndex(), typeOrText(parameter));
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
                return new RexInputRef(firstParameter + parameter.getIndex(), parameter.getType());
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
}
