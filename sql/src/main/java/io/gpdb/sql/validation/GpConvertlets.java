package io.gpdb.sql.validation;

import io.gpdb.sql.catalog.NameResolution;
import io.gpdb.sql.definition.SchemaPath;
import io.gpdb.sql.dialect.KeptValue;
import io.gpdb.sql.dialect.SessionNames;
import io.gpdb.sql.dialect.TextOperators;
import io.gpdb.sql.dialect.ValueKind;
import io.gpdb.sql.dialect.WindowMarks;
import io.gpdb.sql.syntax.GroupedSubQueries;
import io.gpdb.sql.tree.OuterValue;
import io.gpdb.sql.type.ExactComparisons;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexDynamicParam;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql2rel.SqlRexContext;
import org.apache.calcite.sql2rel.SqlRexConvertlet;
import org.apache.calcite.sql2rel.SqlRexConvertletTable;
import org.apache.calcite.sql2rel.StandardConvertletTable;
import org.jspecify.annotations.Nullable;

/**
 * Calcite's conversions of syntax to expressions, with some of gpDB's own. AVG over a window stays
 * one call: Calcite's expansion casts the sum to the type of the average, which overflows too
 * early. A cast of a time to a timestamp adds the day, which Calcite takes for 1970-01-01. {@link
 * ExactComparisons} round nothing. A CHAR that CASE makes a VARCHAR is a {@link KeptValue}.
 */
final class GpConvertlets implements SqlRexConvertletTable {
  static final GpConvertlets INSTANCE = new GpConvertlets();

  private static final SqlRexConvertlet AS_IT_IS =
      (context, call) ->
          context
              .getRexBuilder()
              .makeCall(
                  context.getValidator().getValidatedNodeType(call),
                  call.getOperator(),
                  call.getOperandList().stream().map(context::convertExpression).toList());

  /** GREATEST and LEAST are NULL where one operand is. */
  private static final Set<String> NULL_OF_ANY = Set.of("GREATEST", "LEAST");

  private static final SqlRexConvertlet JOINED = GpConvertlets::joined;

  private static final SqlRexConvertlet SESSION_NAME = GpConvertlets::sessionName;

  private GpConvertlets() {}

  @Override
  public @Nullable SqlRexConvertlet get(SqlCall call) {
    return switch (call.getKind()) {
      case AVG -> AS_IT_IS;
      case CAST -> GpConvertlets::cast;
      case CASE, COALESCE -> GpConvertlets::choice;
      case GREATEST, LEAST -> GpConvertlets::extreme;
      case LTRIM, RTRIM ->
          call.operandCount() == 2 ? AS_IT_IS : StandardConvertletTable.INSTANCE.get(call);
      case EQUALS,
          NOT_EQUALS,
          LESS_THAN,
          LESS_THAN_OR_EQUAL,
          GREATER_THAN,
          GREATER_THAN_OR_EQUAL,
          IS_DISTINCT_FROM,
          IS_NOT_DISTINCT_FROM ->
          GpConvertlets::comparison;
      case BETWEEN -> ExactComparisons::between;
      case LIKE -> GpConvertlets::like;
      case OVERLAPS -> Overlaps::converted;
      case TIMESTAMP_ADD -> TimestampCalls::sum;
      case TIMESTAMP_DIFF -> TimestampCalls::difference;
      default -> {
        if (OuterColumns.MARK.equals(call.getOperator())
            || GroupedSubQueries.KEY.equals(call.getOperator())) {
          yield (context, mark) -> context.convertExpression(mark.operand(0));
        }
        if (call.getOperator().equals(SqlLibraryOperators.CONCAT_FUNCTION)) {
          yield JOINED;
        }
        if (call.operandCount() == 0
            && SessionNames.value(call.getOperator(), SchemaPath.PUBLIC) != null) {
          yield SESSION_NAME;
        }
        yield call.getOperator() instanceof OuterValue
                || WindowMarks.is(call.getOperator())
                || TextOperators.REGEXP_SUBSTR.equals(call.getOperator())
            ? AS_IT_IS
            : StandardConvertletTable.INSTANCE.get(call);
      }
    };
  }

  /**
   * NULL where the pattern or the escape is, and without an escape where that is empty: Calcite's
   * simplification needs a pattern, and the first character of an escape.
   */
  private static RexNode like(SqlRexContext context, SqlCall call) {
    RexNode converted =
        Objects.requireNonNull(StandardConvertletTable.INSTANCE.get(call))
            .convertCall(context, call);
    RexBuilder builder = context.getRexBuilder();
    boolean negated = converted.isA(SqlKind.NOT);
    RexNode like = negated ? ((RexCall) converted).operands.get(0) : converted;
    if (!(like instanceof RexCall whole)) {
      return converted;
    }
    List<RexNode> operands = whole.operands;
    if (operands.stream().skip(1).anyMatch(RexLiteral::isNullLiteral)) {
      return builder.makeNullLiteral(converted.getType());
    }
    if (operands.size() > 2
        && operands.get(2) instanceof RexLiteral escape
        && "".equals(escape.getValueAs(String.class))) {
      like = builder.makeCall(whole.getType(), whole.getOperator(), operands.subList(0, 2));
      return negated ? builder.makeCall(SqlStdOperatorTable.NOT, like) : like;
    }
    return converted;
  }

  private static RexNode sessionName(SqlRexContext context, SqlCall call) {
    SchemaPath path = NameResolution.path(context.getValidator().getCatalogReader());
    String value = Objects.requireNonNull(SessionNames.value(call.getOperator(), path));
    RelDataType type =
        context.getTypeFactory().createSqlType(SqlTypeName.VARCHAR, SessionNames.LENGTH_MAX);
    return context.getRexBuilder().makeLiteral(value, type, true);
  }

  /**
   * Calcite converts a text that is compared with a value of another kind, but not with a
   * parameter.
   */
  private static RexNode comparison(SqlRexContext context, SqlCall call) {
    SqlNode left = call.operand(0);
    SqlNode right = call.operand(1);
    if (left instanceof SqlDynamicParam || right instanceof SqlDynamicParam) {
      RexBuilder builder = context.getRexBuilder();
      RexNode a = context.convertExpression(left);
      RexNode b = context.convertExpression(right);
      if (isText(a.getType()) != isText(b.getType())
          && !isNull(a.getType())
          && !isNull(b.getType())) {
        RexNode x = asOther(builder, a, b.getType());
        RexNode y = asOther(builder, b, a.getType());
        return ExactComparisons.compared(builder, call.getKind(), x, y);
      }
    }
    return ExactComparisons.comparison(context, call);
  }

  /**
   * A text as a value of the other's type; as a DOUBLE, which takes every number, among numbers.
   */
  private static RexNode asOther(RexBuilder builder, RexNode value, RelDataType other) {
    if (!isText(value.getType())) {
      return value;
    }
    RelDataType type =
        SqlTypeUtil.isNumeric(other)
            ? GpTypes.relType(SqlTypeSpec.DOUBLE, true)
            : builder.getTypeFactory().createTypeWithNullability(other, true);
    return builder.makeAbstractCast(type, value, false);
  }

  private static RexNode choice(SqlRexContext context, SqlCall call) {
    SqlRexConvertlet plain =
        Objects.requireNonNull(StandardConvertletTable.INSTANCE.get(call), "CASE");
    RexNode converted = plain.convertCall(context, call);
    return converted instanceof RexCall choice
        ? KeptValue.choice(context.getRexBuilder(), padded(context.getRexBuilder(), choice))
        : converted;
  }

  /**
   * GREATEST and LEAST of numbers and times stay one call, whose operands have its type: Calcite
   * writes each operand as often as there are operands.
   */
  private static RexNode extreme(SqlRexContext context, SqlCall call) {
    RelDataType type = context.getValidator().getValidatedNodeType(call);
    if (GpTypes.isCharacter(type)
        || isNull(type)
        || !NULL_OF_ANY.contains(call.getOperator().getName())) {
      return Objects.requireNonNull(StandardConvertletTable.INSTANCE.get(call))
          .convertCall(context, call);
    }
    RexBuilder builder = context.getRexBuilder();
    List<RexNode> operands = new ArrayList<>();
    for (SqlNode node : call.getOperandList()) {
      RexNode operand = context.convertExpression(node);
      RelDataType as =
          builder.getTypeFactory().createTypeWithNullability(type, operand.getType().isNullable());
      operands.add(builder.ensureType(as, operand, true));
    }
    return builder.makeCall(type, call.getOperator(), operands);
  }

  /** The COALESCE that Calcite makes of a column of USING leaves CHARs as they are. */
  private static RexCall padded(RexBuilder builder, RexCall choice) {
    return choice.getKind() == SqlKind.COALESCE
            && choice.getType().getSqlTypeName() == SqlTypeName.CHAR
        ? choice.clone(
            choice.getType(),
            choice.getOperands().stream()
                .map(o -> builder.ensureType(choice.getType(), o, true))
                .toList())
        : choice;
  }

  private static boolean isText(RelDataType type) {
    return GpTypes.isCharacter(type);
  }

  private static boolean isNull(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.NULL;
  }

  /** Numbers and times are joined as their texts, parameters too. */
  private static RexNode joined(SqlRexContext context, SqlCall call) {
    RexBuilder builder = context.getRexBuilder();
    List<RexNode> operands = new ArrayList<>();
    for (SqlNode node : call.getOperandList()) {
      RexNode operand = context.convertExpression(node);
      boolean isParameter = operand instanceof RexDynamicParam;
      operands.add(isParameter && !isBinary(operand) ? text(builder, operand) : operand);
    }
    return builder.makeCall(call.getOperator(), operands);
  }

  private static boolean isBinary(RexNode node) {
    return SqlTypeUtil.isBinary(node.getType());
  }

  private static RexNode cast(SqlRexContext context, SqlCall call) {
    SqlValidator validator = context.getValidator();
    RelDataType from = validator.getValidatedNodeTypeIfKnown(call.operand(0));
    RelDataType to = validator.getValidatedNodeTypeIfKnown(call);
    if (from != null && to != null) { // not a cast that the validator has put there
      ValueKind.requireCast(from, to);
    }
    if (to != null && SqlTypeUtil.isInterval(to)) { // Calcite would count milliseconds
      return context.getRexBuilder().makeCast(to, context.convertExpression(call.operand(0)));
    }
    SqlRexConvertlet plain =
        Objects.requireNonNull(StandardConvertletTable.INSTANCE.get(call), "CAST");
    RexNode converted = plain.convertCall(context, call);
    RexBuilder builder = context.getRexBuilder();
    if (converted instanceof RexLiteral literal) {
      return KeptValue.ofCast(builder, literal);
    }
    if (!(converted instanceof RexCall cast) || cast.getKind() != SqlKind.CAST) {
      return converted;
    }
    RexNode value = cast.getOperands().getFirst();
    if (cast.getType().getSqlTypeName() == SqlTypeName.TIMESTAMP
        && value.getType().getSqlTypeName() == SqlTypeName.TIME) {
      return onThisDay(builder, cast.getType(), value);
    }
    return cast.getType().getSqlTypeName() == SqlTypeName.VARCHAR
            && isUnbounded(value.getType())
            && !isUnbounded(cast.getType())
        ? cut(builder, cast.getType(), value)
        : converted;
  }

  /** A time becomes a timestamp of the statement's day, as the standard says: by their texts. */
  private static RexNode onThisDay(RexBuilder builder, RelDataType type, RexNode time) {
    RexNode text = builder.makeLiteral(" ");
    text = concatenated(builder, builder.makeCall(SqlStdOperatorTable.CURRENT_DATE), text);
    text = concatenated(builder, text, time);
    return builder.makeAbstractCast(type, text, false);
  }

  private static boolean isUnbounded(RelDataType type) {
    return type.getSqlTypeName() == SqlTypeName.VARCHAR
        && type.getPrecision() == RelDataType.PRECISION_NOT_SPECIFIED;
  }

  /**
   * The first characters of a text. Calcite takes the length of a text without a limit for -1, so
   * that it would lose a cast to fewer characters in one to more.
   */
  private static RexNode cut(RexBuilder builder, RelDataType type, RexNode text) {
    return builder.makeCall(
        type,
        SqlStdOperatorTable.SUBSTRING,
        List.of(
            text,
            builder.makeExactLiteral(BigDecimal.ONE),
            builder.makeExactLiteral(BigDecimal.valueOf(type.getPrecision()))));
  }

  private static RexNode concatenated(RexBuilder builder, RexNode a, RexNode b) {
    return builder.makeCall(SqlStdOperatorTable.CONCAT, text(builder, a), text(builder, b));
  }

  private static RexNode text(RexBuilder builder, RexNode value) {
    if (GpTypes.isCharacter(value.getType())) {
      return value;
    }
    RelDataType varchar = GpTypes.relType(SqlTypeSpec.VARCHAR, value.getType().isNullable());
    return builder.makeAbstractCast(varchar, KeptValue.operand(builder, varchar, value), false);
  }
}
