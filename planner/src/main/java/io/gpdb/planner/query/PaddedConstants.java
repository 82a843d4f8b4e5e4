package io.gpdb.planner.query;

import io.gpdb.sql.dialect.KeptValue;
import io.gpdb.sql.tree.DependentJoin;
import io.gpdb.sql.tree.OuterParameter;
import io.gpdb.sql.tree.SubQueryFunction;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.calcite.rel.RelHomogeneousShuttle;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.core.Project;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexInputRef;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.NlsString;

/**
 * Makes blanks at the end not count where a CHAR(n), which is stored padded, is compared: constants
 * are padded to its length; with anything else but a CHAR of the same length, both sides lose their
 * blanks. Then bytes can be compared, whoever runs the comparison.
 */
public final class PaddedConstants extends RelHomogeneousShuttle {
  private static final Pattern BLANKS = Pattern.compile(" +$");

  private final RexBuilder rexBuilder;

  private PaddedConstants(RexBuilder rexBuilder) {
    this.rexBuilder = rexBuilder;
  }

  public static RelNode in(RelNode tree) {
    return tree.accept(new PaddedConstants(tree.getCluster().getRexBuilder()));
  }

  @Override
  public RelNode visit(RelNode other) {
    RelNode node = super.visit(other);
    if (node instanceof DependentJoin join) {
      return join.rewritten(PaddedConstants::in);
    }
    return node.accept(new Expressions(node.getInputs()));
  }

  /** The expressions of one node. */
  private final class Expressions extends RexShuttle {
    private final List<RelNode> inputs;

    Expressions(List<RelNode> inputs) {
      this.inputs = inputs;
    }

    /** As {@link PaddedConstants#characters}, also through a projection below that has the cast. */
    private int characters(RexNode node) {
      if (!(node instanceof RexInputRef ref)) {
        return PaddedConstants.characters(node);
      }
      int field = ref.getIndex();
      for (RelNode input : inputs) {
        int fields = input.getRowType().getFieldCount();
        if (field < fields) {
          return PaddedConstants.characters(
              input instanceof Project project ? project.getProjects().get(field) : node);
        }
        field -= fields;
      }
      return PaddedConstants.characters(node);
    }

    private boolean needsTrimming(RexNode a, RexNode b) {
      boolean constant = a instanceof RexLiteral || b instanceof RexLiteral;
      boolean texts =
          SqlTypeName.CHAR_TYPES.contains(a.getType().getSqlTypeName())
              && SqlTypeName.CHAR_TYPES.contains(b.getType().getSqlTypeName());
      return texts && !constant && characters(a) != characters(b);
    }

    @Override
    public RexNode visitCall(RexCall call) {
      if (call.getKind() == SqlKind.SEARCH && characters(call.getOperands().getFirst()) > 0) {
        return RexUtil.expandSearch(rexBuilder, null, call).accept(this);
      }
      RexNode visited = super.visitCall(call);
      if (call.getOperator() instanceof SubQueryFunction function) {
        return rexBuilder.makeCall(
            call.getType(),
            function.rewritten(PaddedConstants::in),
            ((RexCall) visited).getOperands());
      }
      boolean compares =
          call.getKind().belongsTo(SqlKind.COMPARISON)
              || call.getKind() == SqlKind.IS_DISTINCT_FROM
              || call.getKind() == SqlKind.IS_NOT_DISTINCT_FROM;
      if (!compares || !(visited instanceof RexCall c) || c.getOperands().size() != 2) {
        return visited;
      }
      if (needsTrimming(c.getOperands().get(0), c.getOperands().get(1))) {
        return c.clone(
            c.getType(), c.getOperands().stream().map(PaddedConstants.this::trimmed).toList());
      }
      List<RexNode> operands = new ArrayList<>(c.getOperands());
      for (int i = 0; i < 2; i++) {
        if (operands.get(i) instanceof RexLiteral) {
          operands.set(1 - i, narrow(operands.get(1 - i)));
        }
        int characters = characters(operands.get(1 - i));
        if (operands.get(i) instanceof RexLiteral literal && characters > 0) {
          operands.set(i, padded(literal, characters));
        }
      }
      return operands.equals(c.getOperands()) ? c : c.clone(c.getType(), operands);
    }
  }

  private RexNode trimmed(RexNode text) {
    if (text instanceof RexDynamicParam parameter
        && !(text instanceof OuterParameter)) { // may be longer than the CHAR it is taken for
      return cut(
          rexBuilder.makeDynamicParam(
              GpTypes.relType(SqlTypeSpec.VARCHAR, true), parameter.getIndex()));
    }
    return cut(text);
  }

  private RexNode cut(RexNode text) {
    return rexBuilder.makeCall(
        SqlStdOperatorTable.TRIM,
        rexBuilder.makeFlag(SqlTrimFunction.Flag.TRAILING),
        rexBuilder.makeLiteral(" "),
        text);
  }

  /** The n of a CHAR(n), also of one that a cast has made a VARCHAR of at least n; else 0. */
  private static int characters(RexNode node) {
    RexNode bare = node;
    while (bare.getKind() == SqlKind.CAST && keepsBlanks((RexCall) bare)) {
      bare = ((RexCall) bare).getOperands().getFirst();
    }
    boolean padded =
        bare instanceof OuterParameter
            || !(KeptValue.isOfConstants(bare) || bare instanceof RexDynamicParam);
    return padded && bare.getType().getSqlTypeName() == SqlTypeName.CHAR
        ? bare.getType().getPrecision()
        : 0;
  }

  /** Whether a cast is one of a text to a VARCHAR that has room for all of it. */
  private static boolean keepsBlanks(RexCall cast) {
    RelDataType from = cast.getOperands().getFirst().getType();
    int room = cast.getType().getPrecision();
    return cast.getType().getSqlTypeName() == SqlTypeName.VARCHAR
        && SqlTypeName.CHAR_TYPES.contains(from.getSqlTypeName())
        && (room == RelDataType.PRECISION_NOT_SPECIFIED
            || (from.getPrecision() >= 0 && from.getPrecision() <= room));
  }

  /** A CHAR before a cast to more characters, which a comparison does not need. */
  private static RexNode narrow(RexNode text) {
    if (text.getKind() != SqlKind.CAST || text.getType().getSqlTypeName() != SqlTypeName.CHAR) {
      return text;
    }
    RexNode operand = ((RexCall) text).getOperands().getFirst();
    return characters(operand) > 0
            && operand.getType().getPrecision() <= text.getType().getPrecision()
        ? narrow(operand)
        : text;
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
