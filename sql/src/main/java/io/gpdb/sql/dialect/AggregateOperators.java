package io.gpdb.sql.dialect;

import io.gpdb.sql.type.GpTypes;
import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlCallBinding;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.fun.SqlAvgAggFunction;
import org.apache.calcite.sql.fun.SqlBasicAggFunction;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlSumAggFunction;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.type.SqlTypeUtil;
import org.apache.calcite.util.Optionality;

/** Aggregates that Calcite's standard table has not, or with other types. */
public final class AggregateOperators {
  private static final SqlReturnTypeInference DOUBLE =
      ReturnTypes.explicit(SqlTypeName.DOUBLE).andThen(SqlTypeTransforms.FORCE_NULLABLE);

  /** Functions of pairs of numbers whose results are a DOUBLE. */
  private static final List<String> OF_PAIRS =
      List.of(
          "COVAR_POP",
          "COVAR_SAMP",
          "CORR",
          "REGR_AVGX",
          "REGR_AVGY",
          "REGR_INTERCEPT",
          "REGR_R2",
          "REGR_SLOPE",
          "REGR_SXX",
          "REGR_SXY",
          "REGR_SYY");

  private static final SqlAggFunction MEDIAN =
      SqlBasicAggFunction.create(
          "MEDIAN",
          SqlKind.OTHER_FUNCTION,
          binding -> between(binding, binding.getOperandType(0)),
          OperandTypes.NUMERIC.or(OperandTypes.INTERVAL));

  /** The value that most rows have; of several the first by the order, where there is one. */
  private static final SqlAggFunction MODE =
      SqlBasicAggFunction.create(SqlKind.MODE, ReturnTypes.ARG0_NULLABLE_IF_EMPTY, OperandTypes.ANY)
          .withGroupOrder(Optionality.OPTIONAL);

  /**
   * A value or a number between two values, at a share of the way through what is sorted, which is
   * the second argument.
   */
  public static final SqlAggFunction PERCENTILE_CONT =
      percentile(
          "PERCENTILE_CONT",
          binding -> between(binding, binding.getOperandType(1)),
          OperandTypes.family(SqlTypeFamily.NUMERIC, SqlTypeFamily.NUMERIC)
              .or(OperandTypes.family(SqlTypeFamily.NUMERIC, SqlTypeFamily.DATETIME_INTERVAL)));

  /** The first value, the second argument, that that share of the values does not come after. */
  public static final SqlAggFunction PERCENTILE_DISC =
      percentile(
          "PERCENTILE_DISC",
          ReturnTypes.ARG1.andThen(SqlTypeTransforms.FORCE_NULLABLE),
          OperandTypes.family(SqlTypeFamily.NUMERIC, SqlTypeFamily.ANY));

  /** SUM, of intervals too. */
  public static final SqlAggFunction SUM =
      new SqlSumAggFunction(GpTypes.FACTORY.createSqlType(SqlTypeName.BIGINT)) {
        @Override
        public SqlOperandTypeChecker getOperandTypeChecker() {
          return OperandTypes.NUMERIC_OR_INTERVAL;
        }

        @Override
        public boolean checkOperandTypes(SqlCallBinding binding, boolean throwing) {
          return OperandTypes.NUMERIC_OR_INTERVAL.checkOperandTypes(binding, throwing);
        }
      };

  private static final SqlAggFunction AVG =
      new SqlAvgAggFunction(SqlKind.AVG) {
        @Override
        public SqlOperandTypeChecker getOperandTypeChecker() {
          return OperandTypes.NUMERIC_OR_INTERVAL;
        }

        @Override
        public boolean checkOperandTypes(SqlCallBinding binding, boolean throwing) {
          return OperandTypes.NUMERIC_OR_INTERVAL.checkOperandTypes(binding, throwing);
        }
      };

  static final List<SqlOperator> ALL = all();

  private AggregateOperators() {}

  private static List<SqlOperator> all() {
    List<SqlOperator> all = new ArrayList<>();
    for (String name : OF_PAIRS) {
      all.add(ofPairs(name, DOUBLE));
    }
    all.add(ofPairs("REGR_COUNT", ReturnTypes.BIGINT));
    all.add(SUM);
    all.add(AVG);
    all.add(MEDIAN);
    all.add(MODE);
    all.add(PERCENTILE_CONT);
    all.add(PERCENTILE_DISC);
    all.add(SqlLibraryOperators.BOOL_AND);
    all.add(SqlLibraryOperators.BOOL_OR);
    all.add(SqlLibraryOperators.GROUP_CONCAT);
    all.add(SqlLibraryOperators.STRING_AGG);
    return all;
  }

  private static SqlAggFunction ofPairs(String name, SqlReturnTypeInference type) {
    return SqlBasicAggFunction.create(
        name, SqlKind.OTHER_FUNCTION, type, OperandTypes.NUMERIC_NUMERIC);
  }

  private static SqlAggFunction percentile(
      String name, SqlReturnTypeInference type, SqlOperandTypeChecker operands) {
    return SqlBasicAggFunction.create(name, SqlKind.OTHER_FUNCTION, type, operands)
        .withGroupOrder(Optionality.MANDATORY);
  }

  /** The type of what is between two values. */
  private static RelDataType between(SqlOperatorBinding binding, RelDataType type) {
    RelDataTypeFactory factory = binding.getTypeFactory();
    return factory.createTypeWithNullability(
        SqlTypeUtil.isInterval(type) ? type : factory.createSqlType(SqlTypeName.DOUBLE), true);
  }
}
