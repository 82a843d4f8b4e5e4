package io.gpdb.planner.window;

import io.gpdb.planner.batch.Batch;
import io.gpdb.planner.batch.DenseBatch;
import io.gpdb.planner.expression.StringDomain;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.HostBuffer;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Rows that are sorted by the keys of their groups: group after group, each of which becomes one
 * row with the keys and the values of aggregates.
 */
public final class GroupedRows {
  private final WindowGroup group;
  private final IntFunction<WindowColumn> columns;
  private final SortedRows rows;

  /**
   * @param group the keys, and what the rows of a group are sorted by
   * @param rowOrder the numbers of the rows in the order of the sort keys, null where there are
   *     none
   */
  public GroupedRows(
      WindowGroup group, Batch input, List<SqlTypeSpec> types, @Nullable HostBuffer rowOrder) {
    this(group, input.rows(), field -> new WindowColumn(input, field, types.get(field)), rowOrder);
  }

  /**
   * @param input has the rows in the order of the sort keys
   */
  public GroupedRows(WindowGroup group, SpilledWindow input) {
    this(group, input.count(), input::column, null);
  }

  private GroupedRows(
      WindowGroup group,
      int count,
      IntFunction<WindowColumn> columns,
      @Nullable HostBuffer rowOrder) {
    this.group = group;
    this.columns = columns;
    rows = new SortedRows(count, rowOrder, columns(group.partition()), List.of());
  }

  private List<WindowColumn> columns(List<Integer> fields) {
    return fields.stream().map(columns::apply).toList();
  }

  /** The number of groups; one without keys, even without rows. */
  public int count() {
    if (group.partition().isEmpty()) {
      return 1;
    }
    int groups = 0;
    for (int from = 0; from < rows.count(); from = rows.partitionEnd(from)) {
      groups++;
    }
    return groups;
  }

  /** Puts the keys of the groups into the first columns of the result. */
  public void putKeys(DenseBatch result) {
    List<WindowColumn> keys = columns(group.partition());
    for (int i = 0; i < keys.size(); i++) {
      WindowColumn key = keys.get(i);
      WindowOutput output = new WindowOutput(key.type(), result.rows(), result.memory());
      output.takeStrings(key);
      int number = 0;
      for (int from = 0; from < rows.count(); from = rows.partitionEnd(from)) {
        output.copy(key, rows.row(from), number++);
      }
      output.putInto(result, i);
    }
  }

  /**
   * Puts the columns of the calls into the result.
   *
   * @param made where the strings of a field go that calls make
   */
  public void putCalls(DenseBatch result, IntFunction<StringDomain.Made> made) {
    for (WindowGroup.Placed placed : group.calls()) {
      WindowCall call = placed.call();
      WindowOutput output = new WindowOutput(call.type(), result.rows(), result.memory());
      if (call.function().returnsArgument()) {
        output.takeStrings(columns.apply(call.returned()));
      } else if (call.makesStrings()) {
        output.makeStrings(made.apply(placed.field()));
      }
      aggregate(call, output);
      output.putInto(result, placed.field());
    }
  }

  private void aggregate(WindowCall call, WindowOutput output) {
    Accumulator aggregate = Accumulators.of(call, columns);
    int number = 0;
    int from = 0;
    do {
      int to = from == rows.count() ? from : rows.partitionEnd(from);
      aggregate.clear();
      for (int place = from; place < to; place++) {
        StopSignal.poll(place);
        aggregate.add(rows.row(place));
      }
      aggregate.write(output, number++);
      from = to;
    } while (from < rows.count());
  }
}
