package io.gpdb.planner.bridge;

import io.gpdb.sql.tree.Raising;
import io.gpdb.sql.tree.SubQueryFunction;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.adapter.enumerable.CallImplementor;
import org.apache.calcite.adapter.enumerable.RexToLixTranslator;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.linq4j.tree.Expression;
import org.apache.calcite.linq4j.tree.Expressions;
import org.apache.calcite.linq4j.tree.Types;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexProgram;
import org.apache.calcite.rex.RexShuttle;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.schema.FunctionParameter;
import org.apache.calcite.schema.ImplementableFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.InferTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.validate.SqlUserDefinedFunction;
import org.apache.calcite.util.BuiltInMethod;

/** Calls of subqueries in generated code: each asks the data context. */
final class SubQueryCalls {
  /** Name of the {@link SubQueryValues.Run} in the data context. */
  static final String KEY = "gpdb.subqueries";

  private static final Method VALUE =
      Types.lookupMethod(SubQueryValues.Run.class, "value", int.class, Object[].class);

  private final BridgeExpressions rewrite;
  private final List<SubQueryFunction> functions = new ArrayList<>();

  SubQueryCalls(BridgeExpressions rewrite) {
    this.rewrite = rewrite;
  }

  /** What is called, in the order of the numbers in the code. */
  List<SubQueryFunction> functions() {
    return functions;
  }

  RexNode call(SubQueryFunction function, List<RexNode> operands) {
    int number = functions.indexOf(function);
    if (number < 0) {
      number = functions.size();
      functions.add(function);
    }
    RelDataType type = rewrite.stored(function.type());
    return rewrite.builder().makeCall(type, operator(number, type), operands);
  }

  /** Whether a program calls subqueries. */
  static boolean areIn(RexProgram program) {
    boolean[] found = new boolean[1];
    RexShuttle search =
        new RexShuttle() {
          @Override
          public RexNode visitCall(RexCall call) {
            found[0] |=
                call.getOperator() instanceof SqlUserDefinedFunction function
                    && function.getFunction() instanceof Implementation;
            return super.visitCall(call);
          }
        };
    program.getExprList().forEach(expression -> expression.accept(search));
    return found[0];
  }

  /**
   * Whether AND or OR has an operand that is to be evaluated only where the others leave it open.
   */
  boolean areLazyIn(RexCall call) {
    return (call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR)
        && call.getOperands().stream().anyMatch(Raising::mayRaise);
  }

  /**
   * The call with what may raise an error, as subqueries may, last and as CASE, for generated code
   * evaluates all operands of AND and OR.
   */
  RexNode inOrder(RexCall call) {
    List<RexNode> plain = new ArrayList<>();
    List<RexNode> dependent = new ArrayList<>();
    for (RexNode operand : call.getOperands()) {
      (Raising.mayRaise(operand) ? dependent : plain).add(operand);
    }
    boolean and = call.getKind() == SqlKind.AND;
    if (!plain.isEmpty()) {
      dependent.addFirst(
          and
              ? RexUtil.composeConjunction(rewrite.builder(), plain)
              : RexUtil.composeDisjunction(rewrite.builder(), plain));
    }
    return dependent.size() == 1 ? dependent.getFirst() : decided(and, dependent);
  }

  /** All, each evaluated only where those before leave the answer open; three-valued. */
  private RexNode decided(boolean and, List<RexNode> operands) {
    RexBuilder builder = rewrite.builder();
    SqlOperator ends = and ? SqlStdOperatorTable.IS_FALSE : SqlStdOperatorTable.IS_TRUE;
    List<RexNode> cases = new ArrayList<>();
    List<RexNode> unknown = new ArrayList<>();
    for (RexNode operand : operands) {
      cases.add(builder.makeCall(ends, operand));
      cases.add(builder.makeLiteral(!and));
      if (operand.getType().isNullable()) {
        unknown.add(builder.makeCall(SqlStdOperatorTable.IS_NULL, operand));
      }
    }
    if (!unknown.isEmpty()) {
      cases.add(RexUtil.composeDisjunction(builder, unknown));
      cases.add(builder.makeNullLiteral(rewrite.methods().type(SqlTypeName.BOOLEAN, true)));
    }
    cases.add(builder.makeLiteral(and));
    return builder.makeCall(SqlStdOperatorTable.CASE, cases);
  }

  private static SqlUserDefinedFunction operator(int number, RelDataType type) {
    return new SqlUserDefinedFunction(
        new SqlIdentifier("GPDB_SUBQUERY" + number, SqlParserPos.ZERO),
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.explicit(type),
        InferTypes.RETURN_TYPE,
        null,
        new Implementation(number));
  }

  /** Generates a call. */
  private record Implementation(int number) implements ImplementableFunction {
    @Override
    public List<FunctionParameter> getParameters() {
      return List.of();
    }

    @Override
    public CallImplementor getImplementor() {
      return (translator, call, nullAs) -> generated(translator, call);
    }

    private Expression generated(RexToLixTranslator translator, RexCall call) {
      List<Type> types = new ArrayList<>();
      call.getOperands().forEach(operand -> types.add(javaClass(operand.getType())));
      List<Expression> arguments = new ArrayList<>();
      for (Expression argument : translator.translateList(call.getOperands(), types)) {
        arguments.add(Expressions.convert_(argument, Object.class));
      }
      Expression run =
          Expressions.convert_(
              Expressions.call(
                  translator.getRoot(),
                  BuiltInMethod.DATA_CONTEXT_GET.method,
                  Expressions.constant(KEY)),
              SubQueryValues.Run.class);
      Expression value =
          Expressions.call(
              run,
              VALUE,
              Expressions.constant(number),
              Expressions.newArrayInit(Object.class, arguments));
      Expression typed = Expressions.convert_(value, javaClass(call.getType()));
      return call.getType().isNullable() ? typed : Expressions.unbox(typed);
    }

    private static Class<?> javaClass(RelDataType type) {
      return switch (type.getSqlTypeName()) {
        case BOOLEAN -> Boolean.class;
        case TINYINT -> Byte.class;
        case SMALLINT -> Short.class;
        case INTEGER, DATE -> Integer.class;
        case BIGINT, TIME, TIMESTAMP, TIMESTAMP_TZ -> Long.class;
        case REAL -> Float.class;
        case FLOAT, DOUBLE -> Double.class;
        case DECIMAL -> BigDecimal.class;
        case CHAR, VARCHAR -> String.class;
        case BINARY, VARBINARY, UUID -> ByteString.class;
        default -> Object.class;
      };
    }
  }
}
