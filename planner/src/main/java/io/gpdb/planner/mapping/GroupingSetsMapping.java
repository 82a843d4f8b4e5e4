package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.Source;
import io.gpdb.planner.batch.SourceColumn;
import io.gpdb.planner.run.HeldSource;
import io.gpdb.planner.run.group.GroupingSetsSource;
import io.gpdb.planner.run.table.KeySetSource;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rel.core.Aggregate;
import org.apache.calcite.rel.core.AggregateCall;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.util.ImmutableBitSet;

/** An aggregation by several sets of keys as aggregations by one set each. */
final class GroupingSetsMapping {
  private final Aggregate aggregate;

  /** The calls that tell the sets apart, and those that are of the rows. */
  private final List<AggregateCall> calls;

  GroupingSetsMapping(Aggregate aggregate) {
    this.aggregate = aggregate;
    calls = aggregate.getAggCallList().stream().filter(call -> !isGrouping(call)).toList();
  }

  /** Whether an aggregation has several sets, or asks which it is of. */
  static boolean isNeeded(Aggregate aggregate) {
    return aggregate.getGroupType() != Aggregate.Group.SIMPLE
        || aggregate.getAggCallList().stream().anyMatch(GroupingSetsMapping::isGrouping);
  }

  private static boolean isGrouping(AggregateCall call) {
    SqlKind kind = call.getAggregation().getKind();
    return kind == SqlKind.GROUPING || kind == SqlKind.GROUP_ID; // GROUPING_ID is a GROUPING
  }

  List<ImmutableBitSet> sets() {
    return aggregate.getGroupSets();
  }

  /** The aggregation by all keys. */
  Aggregate byAll() {
    return by(aggregate.getGroupSet());
  }

  /**
   * Whether one of the sets has all keys, so that its groups can be put together for the others.
   */
  boolean hasAll() {
    return sets().contains(aggregate.getGroupSet());
  }

  /** The aggregation by one set. */
  Aggregate by(ImmutableBitSet set) {
    return aggregate.copy(aggregate.getTraitSet(), aggregate.getInput(), set, List.of(set), calls);
  }

  /** The fields of the input that the sets read. */
  BitSet read() {
    BitSet read = aggregate.getGroupSet().toBitSet();
    for (AggregateCall call : calls) {
      call.getArgList().forEach(read::set);
      call.getCollation().getKeys().forEach(read::set);
      if (call.filterArg >= 0) {
        read.set(call.filterArg);
      }
    }
    return read;
  }

  /**
   * The operator.
   *
   * @param groups by set, its keys in order and then the calls
   */
  Source together(HeldSource rows, BitSet read, List<Source> groups, List<SourceColumn> columns) {
    List<Source> sets = new ArrayList<>();
    for (int i = 0; i < groups.size(); i++) {
      sets.add(new KeySetSource(columns, groups.get(i), fields(sets().get(i))));
    }
    return new GroupingSetsSource(rows, read, sets, columns, text(columns));
  }

  private List<KeySetSource.Field> fields(ImmutableBitSet set) {
    List<KeySetSource.Field> fields = new ArrayList<>();
    int next = 0;
    for (int key : aggregate.getGroupSet()) {
      fields.add(set.get(key) ? KeySetSource.Field.of(next++) : KeySetSource.Field.ofNull());
    }
    for (AggregateCall call : aggregate.getAggCallList()) {
      fields.add(
          isGrouping(call)
              ? KeySetSource.Field.ofNumber(number(call, set))
              : KeySetSource.Field.of(next++));
    }
    return fields;
  }

  /** A bit for each argument, the first the highest, set where it is no key of the set. */
  private static long number(AggregateCall call, ImmutableBitSet set) {
    long number = 0; // GROUP_ID: no set is there twice
    for (int argument : call.getArgList()) {
      number = 2 * number + (set.get(argument) ? 0 : 1);
    }
    return number;
  }

  private String text(List<SourceColumn> columns) {
    List<Integer> keys = aggregate.getGroupSet().asList();
    List<String> sets = new ArrayList<>();
    for (ImmutableBitSet set : sets()) {
      List<String> names = new ArrayList<>();
      set.forEach(key -> names.add(columns.get(keys.indexOf(key)).name()));
      sets.add("(" + String.join(", ", names) + ")");
    }
    return "grouping sets " + String.join(", ", sets);
  }
}
