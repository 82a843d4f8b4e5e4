package io.gpdb.sql.dialect;

import io.gpdb.sql.definition.SequenceDef;
import java.math.BigDecimal;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * What a statement asks of a sequence that is known: its next number, or that which the session
 * took last. No text names it: calls of it replace what is written.
 */
public final class SequenceFunction extends SqlFunction {
  public static final String NEXT = "$NEXT_VALUE";
  public static final String CURRENT = "$CURRENT_VALUE";
  public static final String LAST = "$LAST_VALUE";

  private final @Nullable SequenceDef sequence;

  private SequenceFunction(String name, @Nullable SequenceDef sequence) {
    super(
        name,
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.BIGINT,
        null,
        OperandTypes.VARIADIC,
        SqlFunctionCategory.SYSTEM);
    this.sequence = sequence;
  }

  /** Takes the next number. */
  public static SequenceFunction next(SequenceDef sequence) {
    return new SequenceFunction(NEXT, sequence);
  }

  /** The number that the session took last from the sequence. */
  public static SequenceFunction current(SequenceDef sequence) {
    return new SequenceFunction(CURRENT, sequence);
  }

  /** The number that the session took last from any sequence. */
  public static SequenceFunction last() {
    return new SequenceFunction(LAST, null);
  }

  /** Whether the expression is the next number of a sequence, and nothing else. */
  public static boolean isNext(RexNode expression) {
    return expression instanceof RexCall call && call.getOperator().getName().equals(NEXT);
  }

  /** The function that the expression calls. */
  public static SequenceFunction of(RexNode call) {
    return (SequenceFunction) ((RexCall) call).getOperator();
  }

  /** The call as SQL writes it. */
  public String text() {
    if (sequence == null) {
      return "LASTVAL()";
    }
    return (getName().equals(NEXT) ? "NEXT" : "CURRENT") + " VALUE FOR " + sequence.name();
  }

  /** The sequence; of LAST there is none. */
  public SequenceDef sequence() {
    SequenceDef known = sequence;
    if (known == null) {
      throw new IllegalStateException(getName() + " is of no sequence");
    }
    return known;
  }

  /** A call of it in a statement's text; calls are told apart by the sequence's id. */
  public SqlCall call(SqlParserPos position) {
    SqlLiteral id = SqlLiteral.createExactNumeric(Integer.toString(id()), position);
    return createCall(position, id);
  }

  /** A call of it in an expression. */
  public RexNode call(RexBuilder builder) {
    RelDataType type = builder.getTypeFactory().createSqlType(SqlTypeName.BIGINT);
    return builder.makeCall(
        type, this, List.of(builder.makeExactLiteral(BigDecimal.valueOf(id()))));
  }

  private int id() {
    return sequence == null ? 0 : sequence.sequenceId();
  }

  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    RelDataType type = validator.getTypeFactory().createSqlType(SqlTypeName.BIGINT);
    validator.setValidatedNodeType(call, type);
    return type;
  }

  @Override
  public boolean isDeterministic() {
    return false;
  }

  @Override
  public boolean isDynamicFunction() {
    return true;
  }
}
