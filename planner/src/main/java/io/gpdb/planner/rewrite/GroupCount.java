package io.gpdb.planner.rewrite;

import io.gpdb.planner.rewrite.FieldOrigins.OfScan;
import java.util.BitSet;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.util.ImmutableBitSet;

/**
 * How many combinations of values some fields have: as many as each has for itself, multiplied, but
 * for what a table knows better. Where a key of a table is among the fields, the table's other
 * columns say nothing more; and columns of one table have no more combinations than it has rows.
 */
final class GroupCount {
  private final Estimates estimates;

  GroupCount(Estimates estimates) {
    this.estimates = estimates;
  }

  double of(RelNode tree, ImmutableBitSet fields) {
    if (fields.cardinality() < 2) {
      return fields.isEmpty() ? 1 : estimates.distinct(tree, fields.nth(0));
    }
    List<OfScan> scans = FieldOrigins.of(tree, fields);
    BitSet left = fields.toBitSet();
    for (OfScan scan : scans) {
      BitSet key = scan.key();
      if (!key.isEmpty()) {
        BitSet determined = scan.fields();
        determined.andNot(key);
        left.andNot(determined);
      }
    }
    double all = 1;
    for (OfScan scan : scans) {
      BitSet own = scan.fields();
      own.and(left);
      left.andNot(own);
      all *= Math.min(product(tree, own), Math.max(1, estimates.rows(scan.scan)));
    }
    return all * product(tree, left);
  }

  private double product(RelNode tree, BitSet fields) {
    return fields.stream()
        .mapToDouble(field -> estimates.distinct(tree, field))
        .reduce(1, (a, b) -> a * b);
  }
}
