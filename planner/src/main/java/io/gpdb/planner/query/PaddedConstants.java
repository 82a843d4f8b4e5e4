package io.gpdb.planner.query;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.NlsString;

/**
 * Pads string constants with blanks where they are compared with a CHAR(n), which is stored padded:
 * then bytes can be compared, whoever runs the comparison.
 */
public final class PaddedConstants extends RelHomogeneousShuttle {
  private static final Pattern BLANKS = Pattern.compile(" +$");

  private final RexBuilder rexBuilder;
  private final Expressions expressions = new Expressions();

  private PaddedConstants(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
  }

  public static RelNode in(RelNode tree) {
    return tree.accept(new PaddedConstants(tree.getCluster().getRexBuilder()));
  }

  @Override
  public RelNode visit(RelNode other) {
    return super.visit(other).accept(expressions);
  }

  private final class Expressions extends RexShuttle {
    @Override
    public RexNode visitCall(RexCall call) {
      if (call.getKind() == SqlKind.SEARCH && characters(call.getOperands().getFirst()) > 0) {
        return RexUtil.expandSearch(rexBuilder, null, call).accept(this);
      }
      RexNode visited = super.visitCall(call);
      boolean compares = call.getKind().belongsTo(SqlKind.COMPARISON);
      if (!compares || !(visited instanceof RexCall c) || c.getOperands().size() != 2) {
        return visited;
      }
      List<RexNode> operands = new ArrayList<>(c.getOperands());
      for (int i = 0; i < 2; i++) {
        int characters = characters(operands.get(1 - i));
        if (operands.get(i) instanceof RexLiteral literal && characters > 0) {
          operands.set(i, padded(literal, characters));
        }
      }
      return operands.equals(c.getOperands()) ? c : c.clone(c.getType(), operands);
    }
  }

  /** The n of a CHAR(n), also of one that the validator has cast to VARCHAR; else 0. */
  private static int characters(RexNode node) {
    RexNode bare = node;
    while (bare.getKind() == SqlKind.CAST
        && SqlTypeName.CHAR_TYPES.contains(bare.getType().getSqlTypeName())) {
      bare = ((RexCall) bare).getOperands().getFirst();
    }
    return bare.getType().getSqlTypeName() == SqlTypeName.CHAR && !(bare instanceof RexLiteral)
        ? bare.getType().getPrecision()
        : 0;
  }

  private RexNode padded(RexLiteral literal, int characters) {
    NlsString string = literal.getValueAs(NlsString.class);
    if (literal.isNull() || string == null) {
      return literal;
    }
    String text = BLANKS.matcher(string.getValue()).replaceFirst("");
    int missing = characters - text.codePointCount(0, text.length());
    return missing < 0
        ? literal
        : rexBuilder.makeCharLiteral(
            new NlsString(
                text + " ".repeat(missing), string.getCharsetName(), string.getCollation()));
  }
}
