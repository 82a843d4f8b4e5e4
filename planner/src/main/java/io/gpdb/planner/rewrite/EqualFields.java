package io.gpdb.planner.rewrite;

import io.gpdb.planner.order.JoinKind;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Fields that inner joins make equal, in classes: of one type each, and not of REAL or DOUBLE.
 *
 * <pre>
 *   a = b AND b = c   =>   {a, b, c}, so a = c too; and x &lt; 5 of one of them holds of all
 * </pre>
 */
final class EqualFields {
  private final List<List<RexInputRef>> classes = new ArrayList<>();

  static EqualFields of(JoinRegion region) {
    EqualFields equal = new EqualFields();
    if (region.isInner()) {
      region.conditions.stream()
          .filter(c -> c.kind() == JoinKind.INNER)
          .forEach(c -> equal.add(c.condition()));
    }
    return equal;
  }

  private void add(RexNode condition) {
    RexInputRef[] sides = sides(condition);
    if (sides == null) {
      return;
    }
    List<RexInputRef> a = classOf(sides[0].getIndex());
    List<RexInputRef> b = classOf(sides[1].getIndex());
    if (a == null) {
      if (b == null) {
        classes.add(new ArrayList<>(List.of(sides)));
      } else {
        b.add(sides[0]);
      }
    } else if (b == null) {
      a.add(sides[1]);
    } else if (!a.equals(b)) {
      a.addAll(b);
      classes.remove(b);
    }
  }

  private static RexInputRef @Nullable [] sides(RexNode condition) {
    if (condition.getKind() != SqlKind.EQUALS
        || !(((RexCall) condition).getOperands().get(0) instanceof RexInputRef a)
        || !(((RexCall) condition).getOperands().get(1) instanceof RexInputRef b)) {
      return null;
    }
    RelDataType type = a.getType();
    boolean same =
        SqlTypeUtil.equalSansNullability(type, b.getType())
            && !SqlTypeUtil.isApproximateNumeric(type)
            && a.getIndex() != b.getIndex();
    return same ? new RexInputRef[] {a, b} : null;
  }

  private @Nullable List<RexInputRef> classOf(int field) {
    for (List<RexInputRef> each : classes) {
      if (each.stream().anyMatch(ref -> ref.getIndex() == field)) {
        return each;
      }
    }
    return null;
  }

  List<List<RexInputRef>> classes() {
    return classes;
  }

  /** The class of an equality of two of its fields; -1 where it is none. */
  int indexOf(RexNode condition) {
    RexInputRef[] sides = sides(condition);
    List<RexInputRef> found = sides == null ? null : classOf(sides[0].getIndex());
    return found == null ? -1 : classes.indexOf(found);
  }

  /** The fields that equal one. */
  List<RexInputRef> others(int field) {
    List<RexInputRef> found = classOf(field);
    return found == null
        ? List.of()
        : found.stream().filter(ref -> ref.getIndex() != field).toList();
  }
}
