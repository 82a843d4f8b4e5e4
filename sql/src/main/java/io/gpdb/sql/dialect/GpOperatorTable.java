package io.gpdb.sql.dialect;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlAggFunction;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.SqlOperatorBinding;
import org.apache.calcite.sql.SqlOperatorTable;
import org.apache.calcite.sql.SqlSyntax;
import org.apache.calcite.sql.fun.SqlAbstractTimeFunction;
import org.apache.calcite.sql.fun.SqlBasicAggFunction;
import org.apache.calcite.sql.fun.SqlLeadLagAggFunction;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlOperandTypeChecker;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.apache.calcite.sql.util.SqlOperatorTables;
import org.apache.calcite.sql.validate.SqlNameMatcher;
import org.jspecify.annotations.Nullable;

/** The operators and functions that statements may use; any other name does not exist. */
public final class GpOperatorTable {
  public static final SqlAggFunction STDDEV_POP = spread("STDDEV_POP", SqlKind.STDDEV_POP);
  public static final SqlAggFunction STDDEV_SAMP = spread("STDDEV_SAMP", SqlKind.STDDEV_SAMP);
  public static final SqlAggFunction STDDEV = spread("STDDEV", SqlKind.STDDEV_SAMP);
  public static final SqlAggFunction VAR_POP = spread("VAR_POP", SqlKind.VAR_POP);
  public static final SqlAggFunction VAR_SAMP = spread("VAR_SAMP", SqlKind.VAR_SAMP);
  public static final SqlAggFunction VARIANCE = spread("VARIANCE", SqlKind.VAR_SAMP);

  public static final SqlFunction CURRENT_TIMESTAMP =
      new Now("CURRENT_TIMESTAMP", SqlTypeName.TIMESTAMP);
  public static final SqlFunction LOCALTIMESTAMP = new Now("LOCALTIMESTAMP", SqlTypeName.TIMESTAMP);
  public static final SqlFunction CURRENT_TIME = new Now("CURRENT_TIME", SqlTypeName.TIME);
  public static final SqlFunction LOCALTIME = new Now("LOCALTIME", SqlTypeName.TIME);

  public static final SqlAggFunction LEAD = new Shift(SqlKind.LEAD);
  public static final SqlAggFunction LAG = new Shift(SqlKind.LAG);

  /** The logarithm of the second value to the base of the first. */
  public static final SqlFunction LOG =
      SqlBasicFunction.create(
          "LOG",
          ReturnTypes.DOUBLE_NULLABLE,
          OperandTypes.NUMERIC_NUMERIC,
          SqlFunctionCategory.NUMERIC);

  /** The number of the part in which a value is, where a range is cut into equal parts. */
  private static final SqlFunction WIDTH_BUCKET =
      SqlBasicFunction.create(
          "WIDTH_BUCKET",
          ReturnTypes.INTEGER_NULLABLE,
          OperandTypes.family(
              SqlTypeFamily.NUMERIC,
              SqlTypeFamily.NUMERIC,
              SqlTypeFamily.NUMERIC,
              SqlTypeFamily.INTEGER),
          SqlFunctionCategory.NUMERIC);

  /** A text, a pattern, and flags. */
  private static final SqlFunction REGEXP_LIKE =
      text(
          "REGEXP_LIKE",
          ReturnTypes.BOOLEAN_NULLABLE,
          OperandTypes.STRING_STRING.or(OperandTypes.STRING_STRING_STRING));

  /** A text, a pattern, what replaces all that it finds, and flags. */
  private static final SqlFunction REGEXP_REPLACE =
      text(
          "REGEXP_REPLACE",
          ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.TO_NULLABLE),
          OperandTypes.STRING_STRING_STRING.or(
              OperandTypes.family(
                  SqlTypeFamily.CHARACTER,
                  SqlTypeFamily.CHARACTER,
                  SqlTypeFamily.CHARACTER,
                  SqlTypeFamily.CHARACTER)));

  /** A text in which characters of the second are those at the same places of the third. */
  private static final SqlFunction TRANSLATE =
      text(
          // what the parser calls it
          "TRANSLATE3",
          ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.TO_NULLABLE),
          OperandTypes.STRING_STRING_STRING);

  private static final List<SqlOperator> OF_INTEGERS =
      Stream.of("BITAND", "BITOR", "BITXOR", "GCD", "LCM")
          .<SqlOperator>map(
              name ->
                  SqlBasicFunction.create(
                      name,
                      ReturnTypes.BIGINT_NULLABLE,
                      OperandTypes.family(SqlTypeFamily.INTEGER, SqlTypeFamily.INTEGER),
                      SqlFunctionCategory.NUMERIC))
          .toList();

  private static SqlFunction text(
      String name, SqlReturnTypeInference type, SqlOperandTypeChecker operands) {
    return SqlBasicFunction.create(name, type, operands, SqlFunctionCategory.STRING);
  }

  /** Names of the functions taken from Calcite's standard table. */
  private static final Set<String> STANDARD_FUNCTIONS =
      Set.of(
          // numbers
          "ABS",
          "ACOS",
          "ASIN",
          "ATAN",
          "ATAN2",
          "CBRT",
          "CEIL",
          "COS",
          "COT",
          "DEGREES",
          "EXP",
          "FLOOR",
          "LN",
          "LOG10",
          "MOD",
          "PI",
          "POWER",
          "RADIANS",
          "SIGN",
          "SIN",
          "SQRT",
          "TAN",
          // strings
          "ASCII",
          "CHAR_LENGTH",
          "CHARACTER_LENGTH",
          "INITCAP",
          "LOWER",
          "OCTET_LENGTH",
          "OVERLAY",
          "POSITION",
          "REPLACE",
          "SUBSTRING",
          "TRIM",
          "UPPER",
          // times
          "CURRENT_DATE",
          "DAYOFMONTH",
          "DAYOFWEEK",
          "DAYOFYEAR",
          "HOUR",
          "LAST_DAY",
          "MINUTE",
          "MONTH",
          "QUARTER",
          "SECOND",
          "TIMESTAMPADD",
          "TIMESTAMPDIFF",
          "WEEK",
          "YEAR",
          // conditions and casts
          "CAST",
          "COALESCE",
          "NULLIF",
          // aggregates
          "ANY_VALUE",
          "ARG_MAX",
          "ARG_MIN",
          "BIT_AND",
          "BIT_OR",
          "BIT_XOR",
          "COUNT",
          "EVERY",
          "GROUP_ID",
          "GROUPING",
          "GROUPING_ID",
          "LISTAGG",
          "MAX",
          "MIN",
          "SINGLE_VALUE",
          "SOME",
          "$SUM0",
          // window functions
          "DENSE_RANK",
          "CUME_DIST",
          "FIRST_VALUE",
          "LAST_VALUE",
          "NTH_VALUE",
          "NTILE",
          "PERCENT_RANK",
          "RANK",
          "ROW_NUMBER");

  private static final List<SqlOperator> LIBRARY =
      List.of(
          CURRENT_TIMESTAMP,
          LOCALTIMESTAMP,
          CURRENT_TIME,
          LOCALTIME,
          Extracts.EXTRACT,
          Extracts.WHOLE_SECOND,
          AtTimeZone.FUNCTION,
          LEAD,
          LAG,
          SqlLibraryOperators.BIT_LENGTH,
          SqlLibraryOperators.CHR,
          SqlLibraryOperators.CONCAT_FUNCTION,
          SqlLibraryOperators.COSH,
          SqlLibraryOperators.GREATEST,
          SqlLibraryOperators.IFNULL,
          SqlLibraryOperators.ILIKE,
          SqlLibraryOperators.NOT_ILIKE,
          SqlLibraryOperators.INFIX_CAST,
          SqlLibraryOperators.LEAST,
          SqlLibraryOperators.LEFT,
          SqlLibraryOperators.LENGTH,
          pad(SqlLibraryOperators.LPAD),
          trim(SqlKind.LTRIM),
          LOG,
          SqlLibraryOperators.NVL,
          REGEXP_LIKE,
          REGEXP_REPLACE,
          SeriesFunction.INSTANCE,
          SqlLibraryOperators.REPEAT,
          SqlLibraryOperators.REVERSE,
          SqlLibraryOperators.RIGHT,
          RoundedNumbers.ROUND,
          pad(SqlLibraryOperators.RPAD),
          trim(SqlKind.RTRIM),
          SqlLibraryOperators.SINH,
          SqlLibraryOperators.STRPOS,
          SqlLibraryOperators.SUBSTR_POSTGRESQL,
          SqlLibraryOperators.TANH,
          TRANSLATE,
          RoundedNumbers.TRUNCATE,
          WIDTH_BUCKET,
          STDDEV_POP,
          STDDEV_SAMP,
          STDDEV,
          VAR_POP,
          VAR_SAMP,
          VARIANCE);

  public static final SqlOperatorTable INSTANCE =
      SqlOperatorTables.chain(
          new AllowedStandard(),
          SqlOperatorTables.of(LIBRARY),
          SqlOperatorTables.of(AggregateOperators.ALL),
          SqlOperatorTables.of(TextOperators.ALL),
          SqlOperatorTables.of(OF_INTEGERS),
          SqlOperatorTables.of(SessionNames.OPERATORS));

  private GpOperatorTable() {}

  /** LTRIM or RTRIM, of blanks or of the characters of a second text. */
  private static SqlFunction trim(SqlKind kind) {
    return SqlBasicFunction.create(
            kind,
            ReturnTypes.ARG0
                .andThen(SqlTypeTransforms.TO_NULLABLE)
                .andThen(SqlTypeTransforms.TO_VARYING),
            OperandTypes.STRING.or(OperandTypes.STRING_STRING))
        .withFunctionType(SqlFunctionCategory.STRING);
  }

  /** LPAD or RPAD, which Calcite takes for a text of the first one's length, and never NULL. */
  private static SqlFunction pad(SqlFunction function) {
    return ((SqlBasicFunction) function)
        .withReturnTypeInference(ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.TO_NULLABLE));
  }

  /** A standard deviation or variance: a DOUBLE whatever it is of. */
  private static SqlAggFunction spread(String name, SqlKind kind) {
    return SqlBasicAggFunction.create(
        name,
        kind,
        ReturnTypes.explicit(SqlTypeName.DOUBLE).andThen(SqlTypeTransforms.FORCE_NULLABLE),
        OperandTypes.NUMERIC);
  }

  /** The time of the statement, to the microsecond unless the call has a precision. */
  private static final class Now extends SqlAbstractTimeFunction {
    private final SqlTypeName type;

    Now(String name, SqlTypeName type) {
      super(name, type);
      this.type = type;
    }

    @Override
    public RelDataType inferReturnType(SqlOperatorBinding binding) {
      return binding.getOperandCount() == 0
          ? binding.getTypeFactory().createSqlType(type, SqlTypeSpec.FRACTION_DIGITS_MAX)
          : super.inferReturnType(binding);
    }
  }

  /** LEAD or LAG, whose result may be NULL where its values may be, whatever its default. */
  private static final class Shift extends SqlLeadLagAggFunction {
    Shift(SqlKind kind) {
      super(kind);
    }

    @Override
    public RelDataType inferReturnType(SqlOperatorBinding binding) {
      RelDataType type = super.inferReturnType(binding);
      return binding
          .getTypeFactory()
          .createTypeWithNullability(
              type, type.isNullable() || binding.getOperandType(0).isNullable());
    }
  }

  private static boolean isAllowed(SqlOperator operator) {
    return !(operator instanceof SqlFunction)
        || STANDARD_FUNCTIONS.contains(operator.getName())
        || SessionNames.STANDARD.contains(operator.getName());
  }

  /** Calcite's standard table without the functions that are not allowed. */
  private static final class AllowedStandard implements SqlOperatorTable {
    @Override
    public void lookupOperatorOverloads(
        SqlIdentifier name,
        @Nullable SqlFunctionCategory category,
        SqlSyntax syntax,
        List<SqlOperator> operators,
        SqlNameMatcher matcher) {
      List<SqlOperator> found = new ArrayList<>();
      SqlStdOperatorTable.instance()
          .lookupOperatorOverloads(name, category, syntax, found, matcher);
      for (SqlOperator operator : found) {
        if (isAllowed(operator)) {
          operators.add(operator);
        }
      }
    }

    @Override
    public List<SqlOperator> getOperatorList() {
      return SqlStdOperatorTable.instance().getOperatorList().stream()
          .filter(GpOperatorTable::isAllowed)
          .toList();
    }
  }
}
