package io.gpdb.planner.rewrite;

import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Filter;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.core.TableScan;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.jspecify.annotations.Nullable;

/**
 * How many pairs an equality of two fields leaves. One pair in the larger number of different
 * values, where the values of both are as far as they are in the same range: sales are of few of
 * the days that a calendar has. What a condition on the calendar leaves is taken to be of that
 * range, as far as it has rows, for one asks for what is there.
 */
final class JoinedColumns {
  private final Estimates estimates;

  JoinedColumns(Estimates estimates) {
    this.estimates = estimates;
  }

  /** A field of a tree. */
  record Side(RelNode tree, int field) {
    private RelDataType type() {
      return tree.getRowType().getFieldList().get(field).getType();
    }

    /** Whether the tree's rows are some of a table's, each once. */
    private boolean isOfTable() {
      RelNode node = tree;
      while (node instanceof Filter || node instanceof Project) {
        node = node.getInput(0);
      }
      return node instanceof TableScan;
    }
  }

  double share(Side a, Side b) {
    double ofA = estimates.distinct(a.tree, a.field);
    double ofB = estimates.distinct(b.tree, b.field);
    Estimates.@Nullable StoredColumn storedA = ordered(a);
    Estimates.@Nullable StoredColumn storedB = ordered(b);
    if (storedA == null || storedB == null || !areAlike(a.type(), b.type())) {
      return 1 / Math.max(ofA, ofB);
    }
    long least = Math.max(storedA.facts().least(), storedB.facts().least());
    long greatest = Math.min(storedA.facts().greatest(), storedB.facts().greatest());
    if (least > greatest) {
      return 1 / Math.max(ofA, ofB);
    }
    double inA = storedA.facts().within(least, greatest);
    double inB = storedB.facts().within(least, greatest);
    return 1
        / Math.max(1, Math.max(ofA * inA, ofB * inB))
        * met(a, storedA, inA)
        * met(b, storedB, inB);
  }

  /** The share of a side's rows that are in the range. */
  private double met(Side side, Estimates.StoredColumn column, double inRange) {
    double rows = column.rows() * (1 - column.facts().nullShare()) * inRange;
    return side.isOfTable() ? Math.min(1, rows / estimates.rows(side.tree)) : 1;
  }

  private Estimates.@Nullable StoredColumn ordered(Side side) {
    Estimates.StoredColumn column = estimates.column(side.tree, side.field);
    return column != null && column.facts().isOrdered() ? column : null;
  }

  /** Whether equal values are equal as ordered longs. */
  private static boolean areAlike(RelDataType a, RelDataType b) {
    SqlTypeName type = a.getSqlTypeName();
    return (SqlTypeName.INT_TYPES.contains(type)
            && SqlTypeName.INT_TYPES.contains(b.getSqlTypeName()))
        || (type == b.getSqlTypeName() && SqlTypeFamily.DATETIME.getTypeNames().contains(type));
  }
}
