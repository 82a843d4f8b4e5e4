package io.gpdb.planner.rewrite;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.plan.RelOptUtil;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;

/**
 * The shares of pairs that the conditions between inputs of a region leave. What an OR implies of
 * single inputs is asked of their rows before they are joined, so of these pairs an OR leaves more
 * than of all: {@code (a.x = 1 AND b.y = 2) OR (a.x = 3 AND b.y = 4)} leaves half of the rows with
 * {@code a.x IN (1, 3)} and {@code b.y IN (2, 4)}.
 */
final class LinkShares {
  private static final double UNEQUAL = 0.9;
  private static final double OTHER = 0.3;

  private final JoinRegion region;
  private final Estimates estimates;

  /** The inputs without the conditions that are implied. */
  private final List<RelNode> written;

  /** To be made before the inputs of the region are asked for what is implied. */
  LinkShares(JoinRegion region, Estimates estimates) {
    this.region = region;
    this.estimates = estimates;
    written = List.copyOf(region.inputs);
  }

  double of(RexNode condition) {
    double share = 1;
    for (RexNode part : RelOptUtil.conjunctions(condition)) {
      share *= ofPart(part);
    }
    return share;
  }

  private double ofPart(RexNode part) {
    return switch (part.getKind()) {
      case EQUALS -> ofEquality((RexCall) part);
      case NOT_EQUALS -> UNEQUAL;
      case OR -> ofAlternatives(part);
      default -> OTHER;
    };
  }

  private double ofEquality(RexCall equality) {
    double most = 1;
    for (RexNode side : equality.getOperands()) {
      int field = RelOptUtil.InputFinder.bits(side).nextSetBit(0);
      if (field >= 0) {
        int input = region.inputOf(field);
        int index = field - region.first.get(input);
        most = Math.max(most, estimates.distinct(region.inputs.get(input), index));
      }
    }
    return 1 / most;
  }

  private double ofAlternatives(RexNode condition) {
    List<RexNode> alternatives = RelOptUtil.disjunctions(condition);
    List<Double> whole = new ArrayList<>();
    alternatives.forEach(alternative -> whole.add(ofAlternative(alternative)));
    double implied = 1;
    if (ImpliedConditions.isSplit(condition)) {
      long inputs = region.inputsOf(condition);
      for (long left = inputs; left != 0; left &= left - 1) {
        implied *= ofImplied(alternatives, Long.numberOfTrailingZeros(left));
      }
    }
    return Math.min(1, any(whole) / implied);
  }

  private double ofAlternative(RexNode alternative) {
    double share = 1;
    for (RexNode part : RelOptUtil.conjunctions(alternative)) {
      long inputs = region.inputsOf(part);
      share *= Long.bitCount(inputs) == 1 ? ofInput(part, inputs) : ofPart(part);
    }
    return share;
  }

  private double ofImplied(List<RexNode> alternatives, int input) {
    List<Double> shares = new ArrayList<>();
    for (RexNode alternative : alternatives) {
      List<RexNode> own = region.partsOf(alternative, input);
      if (own.isEmpty()) {
        return 1;
      }
      double share = 1;
      for (RexNode part : own) {
        share *= ofInput(part, 1L << input);
      }
      shares.add(share);
    }
    return any(shares);
  }

  private double ofInput(RexNode part, long inputs) {
    int input = Long.numberOfTrailingZeros(inputs);
    return estimates.share(written.get(input), RexUtil.shift(part, -region.first.get(input)));
  }

  /** As many as fulfil any of several conditions, which are fulfilled independently. */
  private static double any(List<Double> shares) {
    double none = 1;
    for (double share : shares) {
      none *= 1 - Math.min(1, share);
    }
    return 1 - none;
  }
}
