package io.gpdb.planner.mapping;

import io.gpdb.planner.batch.RexText;
import io.gpdb.planner.batch.RowFault;
import io.gpdb.planner.expression.NotCovered;
import io.gpdb.planner.expression.RexValues;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.ErrorCondition;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.RelVisitor;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.jspecify.annotations.Nullable;

/**
 * Names the expressions of a tree that may have raised an error of the bridge. Calcite's code names
 * neither the expression nor the row, so all that can raise such an error are named.
 */
final class BridgeFaults {
  private static final int NAMED_MAX = 3;

  private final List<Candidate> candidates = new ArrayList<>();

  /** An expression and an error that it may raise; {@code type} is the expression's. */
  private record Candidate(ErrorCondition code, String text, String type) {}

  private BridgeFaults() {}

  static BridgeFaults in(RelNode tree) {
    BridgeFaults faults = new BridgeFaults();
    new RelVisitor() {
      @Override
      public void visit(RelNode node, int ordinal, @Nullable RelNode parent) {
        faults.collect(node);
        super.visit(node, ordinal, parent);
      }
    }.go(tree);
    return faults;
  }

  private void collect(RelNode node) {
    List<String> names = new ArrayList<>();
    node.getInputs().forEach(input -> names.addAll(input.getRowType().getFieldNames()));
    node.accept(
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            for (ErrorCondition code : errors(call)) {
              candidates.add(new Candidate(code, RexText.of(call, names), type(call)));
            }
            return super.visitCall(call);
          }
        });
  }

  private static List<ErrorCondition> errors(RexCall call) {
    return switch (call.getKind()) {
      case PLUS, MINUS, TIMES, MINUS_PREFIX -> List.of(ErrorCode.NUMERIC_OUT_OF_RANGE);
      case DIVIDE, MOD ->
          isNonZero(call.getOperands().get(1))
              ? List.of(ErrorCode.NUMERIC_OUT_OF_RANGE)
              : List.of(ErrorCode.NUMERIC_OUT_OF_RANGE, SqlCondition.DIVISION_BY_ZERO);
      case CAST ->
          SqlTypeUtil.inCharFamily(call.getOperands().getFirst().getType())
              ? List.of(
                  ErrorCode.NUMERIC_OUT_OF_RANGE,
                  SqlCondition.INVALID_CAST,
                  SqlCondition.INVALID_DATETIME)
              : List.of(ErrorCode.NUMERIC_OUT_OF_RANGE);
      default -> List.of();
    };
  }

  private static boolean isNonZero(RexNode divisor) {
    return divisor instanceof RexLiteral literal
        && SqlTypeUtil.isNumeric(literal.getType())
        && !literal.isNull()
        && RexLiteral.numberValue(literal).doubleValue() != 0;
  }

  private static String type(RexCall call) {
    try {
      return RexValues.spec(call.getType()).toString();
    } catch (NotCovered e) {
      return "";
    }
  }

  /** The error with the expressions; as it is where an operator of ours has named them already. */
  GpdbException explained(GpdbException error) {
    if (error.getCause() instanceof RowFault) {
      return error;
    }
    String message = String.valueOf(error.getMessage());
    List<String> texts =
        candidates.stream()
            .filter(c -> c.code.equals(error.code()))
            .filter(
                c -> c.code != ErrorCode.NUMERIC_OUT_OF_RANGE || message.endsWith("for " + c.type))
            .map(Candidate::text)
            .distinct()
            .toList();
    if (texts.isEmpty()) {
      return error;
    }
    String named = String.join(" or ", texts.subList(0, Math.min(NAMED_MAX, texts.size())));
    return new GpdbException(
        error.code(),
        message + " in " + named + (texts.size() > NAMED_MAX ? " or others" : ""),
        error.getCause());
  }
}
