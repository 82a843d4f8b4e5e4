package io.gpdb.sql.type;

import java.util.BitSet;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeUtil;

/**
 * Comparisons with a parameter whose value its type does not hold, in terms of the values that the
 * type holds. Where v is between a, which is bound, and the next value:
 *
 * <pre>
 *   x &gt; v, x &gt;= v   becomes   x &gt; a        x = v    becomes   x &lt;&gt; x (false, or unknown for NULL)
 *   x &lt; v, x &lt;= v   becomes   x &lt;= a       x &lt;&gt; v   becomes   x = x  (true, or unknown for NULL)
 * </pre>
 *
 * Above all values of the type {@code <} and {@code <=} hold as {@code <>} does and the others as
 * little as {@code =}; below them it is the other way round.
 */
public final class UnheldComparisons extends RexShuttle {
  private final RexBuilder builder;
  private final List<ParameterFit> fits;

  private UnheldComparisons(RexBuilder builder, List<ParameterFit> fits) {
    this.builder = builder;
    this.fits = fits;
  }

  /**
   * The tree for values that fit their types as {@code fits} says; it is empty where all types can
   * represent them.
   */
  public static RelNode rewritten(RelNode tree, List<ParameterFit> fits) {
    if (fits.isEmpty()) {
      return tree;
    }
    return everywhere(tree, new UnheldComparisons(tree.getCluster().getRexBuilder(), fits));
  }

  /** Adds the parameters of the tree that are anything but direct operands of a comparison. */
  public static void findOthers(RelNode tree, BitSet others) {
    everywhere(tree, new Others(others));
  }

  private static RelNode everywhere(RelNode tree, RexShuttle shuttle) {
    return tree.accept(
        new RelHomogeneousShuttle() {
          @Override
          public RelNode visit(RelNode other) {
            return super.visit(other).accept(shuttle);
          }
        });
  }

  /**
   * Which operand of a comparison with another value of its type is a parameter; -1: none. IS [NOT]
   * DISTINCT FROM is no comparison to Calcite.
   */
  private static int parameterAt(RexCall call) {
    if (!call.isA(SqlKind.COMPARISON) || call.getOperands().size() != 2) {
      return -1;
    }
    RexNode left = call.getOperands().get(0);
    RexNode right = call.getOperands().get(1);
    boolean one = (left instanceof RexDynamicParam) != (right instanceof RexDynamicParam);
    boolean sameType =
        SqlTypeUtil.equalSansNullability(GpTypes.FACTORY, left.getType(), right.getType());
    return one && sameType ? (left instanceof RexDynamicParam ? 0 : 1) : -1;
  }

  @Override
  public RexNode visitCall(RexCall original) {
    if (!(super.visitCall(original) instanceof RexCall call)) {
      throw new IllegalStateException("a call became something else: " + original);
    }
    int at = parameterAt(call);
    if (at < 0 || !(call.getOperands().get(at) instanceof RexDynamicParam parameter)) {
      return call;
    }
    boolean bound = parameter.getIndex() < fits.size(); // else for an outer value, of its type
    ParameterFit fit = bound ? fits.get(parameter.getIndex()) : ParameterFit.HELD;
    SqlKind kind = at == 0 ? call.getKind().reverse() : call.getKind();
    return fit == ParameterFit.HELD
        ? call
        : inHeldValues(
            builder, call.getType(), kind, call.getOperands().get(1 - at), parameter, fit);
  }

  /**
   * A value compared with v, where {@code held} is v, or the greatest value less than v that the
   * type can represent, or unused where v is beyond all of them.
   */
  static RexNode inHeldValues(
      RexBuilder builder,
      RelDataType type,
      SqlKind kind,
      RexNode value,
      RexNode held,
      ParameterFit fit) {
    boolean less = kind == SqlKind.LESS_THAN || kind == SqlKind.LESS_THAN_OR_EQUAL;
    boolean greater = kind == SqlKind.GREATER_THAN || kind == SqlKind.GREATER_THAN_OR_EQUAL;
    boolean unequal = kind == SqlKind.NOT_EQUALS;
    SqlOperator always = SqlStdOperatorTable.EQUALS;
    SqlOperator never = SqlStdOperatorTable.NOT_EQUALS;
    return switch (fit) {
      case HELD -> builder.makeCall(type, RelOptUtil.op(kind, always), List.of(value, held));
      case ABOVE -> builder.makeCall(type, less || unequal ? always : never, List.of(value, value));
      case BELOW ->
          builder.makeCall(type, greater || unequal ? always : never, List.of(value, value));
      case BETWEEN ->
          less || greater
              ? builder.makeCall(
                  type,
                  less ? SqlStdOperatorTable.LESS_THAN_OR_EQUAL : SqlStdOperatorTable.GREATER_THAN,
                  List.of(value, held))
              : builder.makeCall(type, unequal ? always : never, List.of(value, value));
    };
  }

  /** Finds where parameters are more than operands of comparisons. */
  private static final class Others extends RexShuttle {
    private final BitSet others;

    Others(BitSet others) {
      this.others = others;
    }

    @Override
    public RexNode visitCall(RexCall call) {
      int at = parameterAt(call);
      if (at >= 0) {
        call.getOperands().get(1 - at).accept(this);
        return call;
      }
      return super.visitCall(call);
    }

    @Override
    public RexNode visitDynamicParam(RexDynamicParam parameter) {
      others.set(parameter.getIndex());
      return parameter;
    }
  }
}
