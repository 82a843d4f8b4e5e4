package io.gpdb.planner.keyed;

import io.gpdb.exec.library.change.GridApplyBatch.Sum;
import io.gpdb.exec.library.change.GridApplyBatch.Target;
import io.gpdb.exec.library.lane.LaneInputs;
import io.gpdb.planner.change.RowRepeats;
import io.gpdb.planner.query.RowValues;
import io.gpdb.planner.statement.ParameterColumn;
import io.gpdb.planner.statement.ParameterColumns;
import io.gpdb.storage.error.StopSignal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a batch makes of a row that it names several times, where each new value is the column's own
 * plus or minus a parameter or a number: whole numbers, without an object for each.
 */
final class RowSums {
  private final List<Added> added;
  private final int first;

  /**
   * @param narrow whether the column's numbers have 32 bits
   * @param operands what is added, by place; null for the number
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Added(
      int column, boolean narrow, boolean minus, long @Nullable [] operands, long number) {}

  private RowSums(List<Added> added, int first) {
    this.added = added;
    this.first = first;
  }

  /**
   * Null where a new value is something else, or a parameter is NULL.
   *
   * @param first the batch's row that is the lists' first place
   * @param n places
   */
  static @Nullable RowSums of(BatchProgram program, ParameterColumns batch, int first, int n) {
    List<Added> added = new ArrayList<>();
    for (Target target : program.kernel().targets()) {
      Sum sum = target.sum();
      if (sum == null) {
        return null;
      }
      LaneInputs.Column operand = sum.operand();
      ParameterColumn parameter =
          operand == null ? null : batch.column(program.parameterOf(operand));
      if (parameter != null && parameter.hasNulls()) {
        return null;
      }
      boolean narrow = target.element().bytes() == Integer.BYTES;
      long[] operands = parameter == null ? null : parameter.raws(first, n);
      added.add(new Added(target.column(), narrow, sum.minus(), operands, sum.number()));
    }
    return new RowSums(added, first);
  }

  /**
   * Puts what the row's places leave into {@code raw}. False, where a value is NULL or a sum leaves
   * its type: then the expressions decide.
   *
   * @param place the row's first
   * @param counts of the batch's rows: 1 for those at the row's places
   */
  boolean compute(RowValues row, RowRepeats.Lists lists, int place, long[] raw, long[] counts) {
    for (int s = 0; s < raw.length; s++) {
      Added each = added.get(s);
      if (row.isNull(each.column)) {
        return false;
      }
      long value = row.raw(each.column);
      int i = place;
      do {
        StopSignal.poll(i);
        long operand = each.operands == null ? each.number : each.operands[i];
        long sum = each.minus ? value - operand : value + operand;
        // Beyond 64 bits: the signs tell.
        boolean beyond = (value ^ sum) < 0 && (each.minus ? ~operand ^ sum : operand ^ sum) < 0;
        if (beyond || (each.narrow && sum != (int) sum)) {
          return false;
        }
        value = sum;
        counts[first + i] = 1;
        i = lists.next(i);
      } while (i > 0);
      raw[s] = value;
    }
    return true;
  }
}
