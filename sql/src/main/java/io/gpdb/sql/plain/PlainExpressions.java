package io.gpdb.sql.plain;

import io.gpdb.sql.dialect.KeptValue;
import io.gpdb.sql.syntax.DeclaredType;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.rex.RexUtil;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlBetweenOperator;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlLikeOperator;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.NlsString;
import org.jspecify.annotations.Nullable;

/**
 * Syntax of expressions over numbers as row expressions, equal to those that Calcite's validator
 * and converter make of it. Types follow from the operators, by Calcite's own rules for them.
 */
final class PlainExpressions {
  private static final int REPEATED_NODES_MAX = 1000;

  /** The length of the strings that NULL is taken for where nothing says its type. */
  private static final int UNKNOWN_LENGTH = 1024;

  private final RexBuilder builder;
  private final PlainComparisons comparisons;
  private final Places places;

  /** What is not made of operators alone. */
  interface Places {
    RexNode column(SqlIdentifier name);

    /** A call of a function that is none of the operators, or a subquery. */
    RexNode call(SqlCall call);

    /** Notes a parameter of a type. */
    RexNode parameter(SqlDynamicParam parameter, RelDataType type);
  }

  PlainExpressions(RexBuilder builder, Places places) {
    this.builder = builder;
    comparisons = new PlainComparisons(builder);
    this.places = places;
  }

  RexNode of(SqlNode node) {
    return switch (node) {
      case SqlNumericLiteral number -> number(number);
      case SqlCharStringLiteral text -> text(text);
      case SqlIdentifier name -> places.column(name);
      case SqlCase choice -> choice(choice);
      case SqlCall call -> call(call);
      default -> throw NotPlain.here();
    };
  }

  /** A value that is not put beside others: a literal is a VARCHAR there. */
  RexNode ofOwn(SqlNode node) {
    RexNode value = of(node);
    if (!(node instanceof SqlCharStringLiteral)) {
      return value;
    }
    RelDataTypeFactory types = builder.getTypeFactory();
    return builder.makeCast(
        types.createSqlType(SqlTypeName.VARCHAR, value.getType().getPrecision()), value);
  }

  private RexNode number(SqlNumericLiteral number) {
    BigDecimal value = number.isInteger() ? number.bigDecimalValue() : null;
    if (value == null || value.toBigInteger().bitLength() >= Long.SIZE) {
      throw NotPlain.here();
    }
    return builder.makeExactLiteral(value, number.createSqlType(builder.getTypeFactory()));
  }

  private RexNode text(SqlCharStringLiteral literal) {
    NlsString text = literal.getValueAs(NlsString.class);
    if (text.getCharsetName() != null) {
      throw NotPlain.here();
    }
    return builder.makeCharLiteral(text);
  }

  private RexNode call(SqlCall call) {
    return switch (call.getKind()) {
      case PLUS -> arithmetic(SqlStdOperatorTable.PLUS, call);
      case MINUS -> arithmetic(SqlStdOperatorTable.MINUS, call);
      case TIMES -> arithmetic(SqlStdOperatorTable.MULTIPLY, call);
      case DIVIDE -> arithmetic(SqlStdOperatorTable.DIVIDE, call);
      case MINUS_PREFIX ->
          builder.makeCall(SqlStdOperatorTable.UNARY_MINUS, numeric(call.operand(0)));
      case PLUS_PREFIX -> numeric(call.operand(0));
      case EQUALS, NOT_EQUALS, LESS_THAN, LESS_THAN_OR_EQUAL, GREATER_THAN, GREATER_THAN_OR_EQUAL ->
          comparison(call.getKind(), call.operand(0), call.operand(1));
      case AND -> logic(SqlStdOperatorTable.AND, call);
      case OR -> logic(SqlStdOperatorTable.OR, call);
      case NOT -> builder.makeCall(SqlStdOperatorTable.NOT, truth(call.operand(0)));
      case IS_NULL -> builder.makeCall(SqlStdOperatorTable.IS_NULL, known(call.operand(0)));
      case IS_NOT_NULL -> builder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, known(call.operand(0)));
      case BETWEEN -> between(call);
      case IN, NOT_IN -> membership(call);
      case LIKE -> like(call);
      case CAST -> cast(call);
      case COALESCE -> coalesced(call);
      case NULLIF -> nullIf(call);
      case OTHER_FUNCTION -> function(call);
      default -> places.call(call);
    };
  }

  private RexNode function(SqlCall call) {
    if (call.getFunctionQuantifier() == null) {
      switch (call.getOperator().getName().toUpperCase(Locale.ROOT)) {
        case "ABS" -> {
          return call.operandCount() == 1
              ? builder.makeCall(SqlStdOperatorTable.ABS, numeric(call.operand(0)))
              : refused();
        }
        case "COALESCE" -> {
          return coalesced(call);
        }
        case "NULLIF" -> {
          return nullIf(call);
        }
        default -> {}
      }
    }
    return places.call(call);
  }

  private static RexNode refused() {
    throw NotPlain.here();
  }

  // Operators

  private RexNode arithmetic(SqlOperator operator, SqlCall call) {
    if (call.operandCount() != 2) {
      throw NotPlain.here();
    }
    SqlNode left = call.operand(0);
    SqlNode right = call.operand(1);
    List<RexNode> operands = List.of(computed(left, right), computed(right, left));
    RelDataType type = builder.deriveReturnType(operator, operands);
    return builder.makeCall(type, operator, RexUtil.flatten(operands, operator));
  }

  /** An operand of arithmetic, which may be a parameter beside a column. */
  private RexNode computed(SqlNode node, SqlNode beside) {
    if (!(node instanceof SqlDynamicParam parameter)) {
      return numeric(node);
    }
    if (!(beside instanceof SqlIdentifier column)) {
      throw NotPlain.here();
    }
    RelDataType type = numeric(column).getType();
    return places.parameter(
        parameter, builder.getTypeFactory().createTypeWithNullability(type, true));
  }

  private RexNode numeric(SqlNode node) {
    RexNode value = of(node);
    requireNumber(value);
    return value;
  }

  private static void requireNumber(RexNode value) {
    switch (value.getType().getSqlTypeName()) {
      case INTEGER, BIGINT, REAL, DOUBLE, DECIMAL -> {}
      default -> throw NotPlain.here();
    }
  }

  /** An operand of AND, OR or NOT, or a condition. */
  RexNode truth(SqlNode node) {
    RexNode value = of(node);
    if (value.getType().getSqlTypeName() != SqlTypeName.BOOLEAN) {
      throw NotPlain.here();
    }
    return value;
  }

  private RexNode logic(SqlOperator operator, SqlCall call) {
    List<RexNode> operands = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      operands.add(truth(operand));
    }
    RelDataType type = builder.deriveReturnType(operator, operands);
    return builder.makeCall(type, operator, RexUtil.flatten(operands, operator));
  }

  /** An operand of a comparison, null for NULL, which may be a parameter beside a column. */
  private @Nullable RexNode compared(SqlNode node, SqlNode beside) {
    if (isNull(node)) {
      return null;
    }
    if (!(node instanceof SqlDynamicParam parameter)) {
      return of(node);
    }
    if (!(beside instanceof SqlIdentifier column)) {
      throw NotPlain.here();
    }
    RexNode value = places.column(column);
    if (!PlainComparisons.isText(value)) {
      requireWhole(value.getType());
    }
    RelDataType type = builder.getTypeFactory().createTypeWithNullability(value.getType(), true);
    return places.parameter(parameter, type);
  }

  private static void requireWhole(RelDataType type) {
    switch (type.getSqlTypeName()) {
      case INTEGER, BIGINT -> {}
      default -> throw NotPlain.here();
    }
  }

  private RexNode comparison(SqlKind kind, SqlNode left, SqlNode right) {
    return comparisons.of(kind, compared(left, right), compared(right, left));
  }

  private static boolean isNull(SqlNode node) {
    return SqlUtil.isNullLiteral(node, false);
  }

  /** An operand of IS NULL, where NULL itself is taken for a string. */
  private RexNode known(SqlNode node) {
    return isNull(node)
        ? builder.makeNullLiteral(
            builder.getTypeFactory().createSqlType(SqlTypeName.VARCHAR, UNKNOWN_LENGTH))
        : of(node);
  }

  private RexNode between(SqlCall call) {
    SqlBetweenOperator operator = (SqlBetweenOperator) call.getOperator();
    SqlNode value = call.operand(0);
    if (operator.flag == SqlBetweenOperator.Flag.SYMMETRIC) {
      throw NotPlain.here();
    }
    RexNode tested = tested(value);
    RexNode least = compared(call.operand(1), value);
    RexNode most = compared(call.operand(2), value);
    comparisons.requireSame(tested, Arrays.asList(least, most));
    RexNode within =
        builder.makeCall(
            SqlStdOperatorTable.AND,
            comparisons.of(SqlKind.GREATER_THAN_OR_EQUAL, tested, least),
            comparisons.of(SqlKind.LESS_THAN_OR_EQUAL, tested, most));
    return operator.isNegated() ? builder.makeCall(SqlStdOperatorTable.NOT, within) : within;
  }

  /** What several values are compared with, null for NULL. */
  private @Nullable RexNode tested(SqlNode node) {
    if (isNull(node)) {
      return null;
    }
    RexNode value = of(node);
    if (!PlainComparisons.isText(value)) {
      requireNumber(value);
    }
    return value;
  }

  private static RexNode text(RexNode value) {
    if (!PlainComparisons.isText(value)) {
      throw NotPlain.here();
    }
    return value;
  }

  /** LIKE without an ESCAPE. */
  private RexNode like(SqlCall call) {
    SqlLikeOperator operator = (SqlLikeOperator) call.getOperator();
    if (call.operandCount() != 2
        || !operator.equals(SqlStdOperatorTable.LIKE)
        || !(call.operand(1) instanceof SqlCharStringLiteral pattern)) {
      throw NotPlain.here();
    }
    return builder.makeCall(SqlStdOperatorTable.LIKE, text(of(call.operand(0))), text(pattern));
  }

  private RexNode membership(SqlCall call) {
    if (!(call.operand(1) instanceof SqlNodeList members) || members.isEmpty()) {
      throw NotPlain.here();
    }
    SqlNode value = call.operand(0);
    RexNode tested = tested(value);
    List<@Nullable RexNode> others = new ArrayList<>();
    for (SqlNode member : members) {
      others.add(compared(member, value));
    }
    comparisons.requireSame(tested, others);
    List<RexNode> each = new ArrayList<>();
    others.forEach(other -> each.add(comparisons.of(SqlKind.EQUALS, tested, other)));
    return call.getKind() == SqlKind.NOT_IN
        ? builder.makeCall(SqlStdOperatorTable.NOT, RexUtil.composeDisjunction(builder, each))
        : Objects.requireNonNull(RexUtil.composeDisjunction(builder, each, true));
  }

  private RexNode cast(SqlCall call) {
    if (call.operandCount() != 2
        || !(call.operand(1) instanceof SqlDataTypeSpec spec)
        || !(spec.getTypeNameSpec() instanceof SqlBasicTypeNameSpec)) {
      throw NotPlain.here();
    }
    if (call.operand(0) instanceof SqlDynamicParam parameter) {
      return places.parameter(parameter, parameterType(spec));
    }
    RelDataType type = type(spec);
    if (SqlUtil.isNullLiteral(call.operand(0), false)) {
      return builder.makeNullLiteral(type);
    }
    RexNode value = numeric(call.operand(0));
    return cast(value, type, value.getType().isNullable());
  }

  private RexNode cast(RexNode value, RelDataType type, boolean nullable) {
    RexNode cast =
        builder.makeCast(builder.getTypeFactory().createTypeWithNullability(type, nullable), value);
    return cast instanceof RexLiteral literal ? KeptValue.ofCast(builder, literal) : cast;
  }

  /** The type that a parameter is declared to have. */
  private static RelDataType parameterType(SqlDataTypeSpec spec) {
    SqlTypeSpec type;
    try {
      type = DeclaredType.of(spec);
    } catch (GpdbException e) {
      throw NotPlain.here(); // it is refused where Calcite meets it
    }
    switch (type.kind()) {
      case BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, REAL, DOUBLE, DECIMAL, DATE -> {}
      case VARCHAR -> {
        if (!type.equals(SqlTypeSpec.VARCHAR)) {
          throw NotPlain.here();
        }
      }
      default -> throw NotPlain.here();
    }
    return GpTypes.relType(type, true);
  }

  private static RelDataType type(SqlDataTypeSpec spec) {
    SqlTypeSpec type =
        switch (spec.getTypeName().names.getLast()) {
          case "INTEGER" -> SqlTypeSpec.INTEGER;
          case "BIGINT" -> SqlTypeSpec.BIGINT;
          case "REAL" -> SqlTypeSpec.REAL;
          case "DOUBLE" -> SqlTypeSpec.DOUBLE;
          default -> throw NotPlain.here();
        };
    return GpTypes.relType(type, true);
  }

  // CASE and what is written as one

  private RexNode choice(SqlCase choice) {
    if (choice.getValueOperand() != null) {
      throw NotPlain.here();
    }
    if (NodeSearch.hasParameter(choice)) {
      throw NotPlain.here();
    }
    List<RexNode> operands = new ArrayList<>();
    SqlNodeList conditions = choice.getWhenOperands();
    SqlNodeList results = choice.getThenOperands();
    for (int i = 0; i < conditions.size(); i++) {
      operands.add(truth(conditions.get(i)));
      operands.add(result(results.get(i)));
    }
    operands.add(result(choice.getElseOperand()));
    return chosen(operands);
  }

  private @Nullable RexNode nullOf(@Nullable SqlNode node) {
    return node == null || SqlUtil.isNullLiteral(node, false)
        ? builder.makeNullLiteral(builder.getTypeFactory().createSqlType(SqlTypeName.NULL))
        : null;
  }

  private RexNode result(@Nullable SqlNode node) {
    RexNode none = nullOf(node);
    return none != null || node == null ? Objects.requireNonNull(none) : numeric(node);
  }

  /** A CASE of those operands, whose results are of one type or NULL, or whole numbers. */
  private RexNode chosen(List<RexNode> operands) {
    RelDataType common = PlainChoices.common(operands);
    boolean nullable = PlainChoices.isNullable(operands);
    for (int i = 1; i <= operands.size(); i += 2) {
      int at = Math.min(i, operands.size() - 1);
      RexNode result = operands.get(at);
      if (result.getType().getSqlTypeName() != SqlTypeName.NULL
          && result.getType().getSqlTypeName() != common.getSqlTypeName()) {
        operands.set(at, cast(result, common, nullable));
      }
    }
    RelDataType type = builder.deriveReturnType(SqlStdOperatorTable.CASE, operands);
    for (int i = 1; i <= operands.size(); i += 2) {
      int at = Math.min(i, operands.size() - 1);
      operands.set(at, builder.ensureType(type, operands.get(at), false));
    }
    return KeptValue.choice(
        builder, (RexCall) builder.makeCall(type, SqlStdOperatorTable.CASE, operands));
  }

  private RexNode coalesced(SqlCall call) {
    List<SqlNode> nodes = call.getOperandList();
    if (nodes.size() < 2 || nodes.stream().anyMatch(NodeSearch::hasQuery)) {
      throw NotPlain.here();
    }
    List<RexNode> operands = new ArrayList<>();
    for (SqlNode node : nodes.subList(0, nodes.size() - 1)) {
      RexNode value = repeated(numeric(node));
      operands.add(builder.makeCall(SqlStdOperatorTable.IS_NOT_NULL, value));
      operands.add(value instanceof RexLiteral ? value : present(value));
    }
    operands.add(numeric(nodes.getLast()));
    return chosen(operands);
  }

  /** A value that the expression has twice: nested, they double at each level. */
  private static RexNode repeated(RexNode value) {
    if (value.nodeCount() > REPEATED_NODES_MAX) {
      throw NotPlain.here();
    }
    return value;
  }

  private RexNode present(RexNode value) {
    RelDataType type = builder.getTypeFactory().createTypeWithNullability(value.getType(), false);
    return builder.makeAbstractCast(type, value, false);
  }

  private RexNode nullIf(SqlCall call) {
    if (call.operandCount() != 2 || NodeSearch.hasQuery(call)) {
      throw NotPlain.here();
    }
    RexNode value = repeated(numeric(call.operand(0)));
    List<RexNode> operands = new ArrayList<>();
    operands.add(comparisons.of(SqlKind.EQUALS, value, numeric(call.operand(1))));
    operands.add(Objects.requireNonNull(nullOf(null)));
    operands.add(value);
    return chosen(operands);
  }
}
