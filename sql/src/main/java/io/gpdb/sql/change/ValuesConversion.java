package io.gpdb.sql.change;

import io.gpdb.sql.conversion.Assignment;
import io.gpdb.sql.conversion.DefaultValues;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.definition.ColumnDef;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.validation.ExactParameters;
import io.gpdb.storage.error.GpdbException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlCharStringLiteral;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.jspecify.annotations.Nullable;

/**
 * The rows of INSERT … VALUES, from the syntax tree straight to expressions: literals and
 * parameters without Calcite's validator, other expressions one by one through it.
 */
public final class ValuesConversion {
  private final QueryConversion conversion;
  private final TableDef table;
  private final int[] columns;
  private final AssignedColumns assigned;
  private final DefaultValues defaults;
  private final Map<Integer, RexNode> defaultOf = new HashMap<>();
  private final Map<Integer, ParameterDef> parameters = new HashMap<>();

  ValuesConversion(
      QueryConversion conversion, TableDef table, int[] columns, AssignedColumns assigned) {
    this.assigned = assigned;
    this.conversion = conversion;
    this.table = table;
    this.columns = columns;
    this.defaults = new DefaultValues(conversion);
  }

  List<List<RexNode>> rows(SqlCall values, int[] defaulted) {
    List<List<RexNode>> rows = new ArrayList<>(values.operandCount());
    for (SqlNode row : values.getOperandList()) {
      rows.add(row((SqlCall) row, defaulted));
    }
    return rows;
  }

  /** All columns by their defaults: INSERT … DEFAULT VALUES. */
  List<List<RexNode>> defaultsOnly(int[] defaulted) {
    List<RexNode> row = new ArrayList<>();
    for (int column : defaulted) {
      row.add(defaultOf(column));
    }
    return List.of(row);
  }

  List<ParameterDef> parameters() {
    return QueryConversion.allOf(parameters);
  }

  /** The parameters, by their index in the statement. */
  Map<Integer, ParameterDef> numbered() {
    return parameters;
  }

  private List<RexNode> row(SqlCall row, int[] defaulted) {
    if (row.operandCount() != columns.length) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "INSERT has "
              + columns.length
              + " columns but "
              + row.operandCount()
              + " values"
              + TableNames.at(row));
    }
    List<RexNode> values = new ArrayList<>(columns.length + defaulted.length);
    for (int i = 0; i < columns.length; i++) {
      values.add(value(row.operand(i), columns[i]));
    }
    for (int column : defaulted) {
      values.add(defaultOf(column));
    }
    return values;
  }

  private RexNode defaultOf(int column) {
    return defaultOf.computeIfAbsent(column, c -> defaults.of(table, c));
  }

  private RexNode value(SqlNode node, int index) {
    ColumnDef column = table.column(index);
    RexBuilder builder = conversion.rexBuilder();
    assigned.require(index, node);
    RexNode value = given(node, column, builder, index);
    return assigned.isNumbered(index) ? defaultOf(index) : value;
  }

  private RexNode given(SqlNode node, ColumnDef column, RexBuilder builder, int index) {
    if (node instanceof SqlDynamicParam parameter) {
      SqlTypeSpec type = column.type().unlimited();
      parameters.put(parameter.getIndex(), new ParameterDef(type));
      return builder.makeDynamicParam(GpTypes.relType(type, true), parameter.getIndex());
    }
    if (node.getKind() == SqlKind.DEFAULT) {
      return defaultOf(index);
    }
    RexNode value = node instanceof SqlLiteral literal ? simple(literal, column) : null;
    if (value == null) {
      value = expression(node, column);
    }
    return Assignment.assigned(builder, value, table, column);
  }

  /** A literal that needs no validator, or null. */
  private @Nullable RexNode simple(SqlLiteral literal, ColumnDef column) {
    RexBuilder builder = conversion.rexBuilder();
    if (literal.getTypeName() == SqlTypeName.NULL) {
      RelDataType type = GpTypes.relType(column.type().unlimited(), true);
      return builder.makeNullLiteral(type);
    }
    if (literal instanceof SqlNumericLiteral number && number.isInteger()) {
      BigDecimal value = number.bigDecimalValue();
      if (value != null && value.precision() <= SqlTypeSpec.NARROW_DIGITS_MAX) {
        return builder.makeExactLiteral(value);
      }
    }
    if (literal instanceof SqlCharStringLiteral && literal.getTypeName() == SqlTypeName.CHAR) {
      String text = literal.getValueAs(String.class);
      return builder.makeLiteral(text == null ? "" : text);
    }
    return null;
  }

  private RexNode expression(SqlNode node, ColumnDef column) {
    QueryConversion.ConvertedExpression converted = conversion.expression(node);
    Set<Integer> computed = ExactParameters.in(converted.validated());
    Assignment.requireType(converted.type(), column, conversion.catalog());
    converted
        .validated()
        .accept(
            new SqlBasicVisitor<@Nullable Void>() {
              @Override
              public @Nullable Void visit(SqlDynamicParam parameter) {
                parameters.put(parameter.getIndex(), parameter(parameter, computed));
                return null;
              }
            });
    return converted.value();
  }

  /** A parameter of an expression, which counts even where the expression does without it. */
  private ParameterDef parameter(SqlDynamicParam parameter, Set<Integer> computed) {
    int index = parameter.getIndex();
    boolean certain = !conversion.validator().isGuessed(index);
    SqlTypeSpec type = GpTypes.spec(conversion.validator().getValidatedNodeType(parameter));
    ParameterDef.Use use =
        computed.contains(index) ? ParameterDef.Use.COMPUTED : ParameterDef.Use.STORED;
    return new ParameterDef(type, certain, use);
  }

  /** Whether every value can be converted by itself. */
  static boolean accepts(SqlNode source) {
    if (source.getKind() != SqlKind.VALUES || !(source instanceof SqlBasicCall values)) {
      return false;
    }
    for (SqlNode row : values.getOperandList()) {
      if (row.getKind() != SqlKind.ROW || NodeSearch.hasQuery(row)) {
        return false;
      }
    }
    return true;
  }
}
