package io.gpdb.sql.dialect;

import java.util.ArrayList;
import java.util.List;
import org.apache.calcite.sql.SqlBasicFunction;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOperator;
import org.apache.calcite.sql.fun.SqlLibraryOperators;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.type.SqlReturnTypeInference;
import org.apache.calcite.sql.type.SqlTypeFamily;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeTransforms;
import org.jspecify.annotations.Nullable;

/** Functions of texts that other databases have: what they find, their parts, formats, digests. */
public final class TextOperators {
  /** Marks the first value of a call that was written USING OCTETS. */
  private static final SqlFunction OCTETS = of("$OCTETS", varchar(), 1, text());

  /** SUBSTRING, POSITION and OVERLAY of texts USING OCTETS. */
  public static final SqlFunction OCTETS_SUBSTRING =
      of("SUBSTRING USING OCTETS", varchar(), 2, text(), number(), number());

  public static final SqlFunction OCTETS_POSITION =
      of("POSITION USING OCTETS", ReturnTypes.INTEGER_NULLABLE, 2, text(), text(), number());

  public static final SqlFunction OCTETS_OVERLAY =
      of("OVERLAY USING OCTETS", varchar(), 3, text(), text(), number(), number());

  /** With the name of a form as its second value. */
  public static final SqlFunction NORMALIZE = of("NORMALIZE", varchar(), 2, text(), text());

  /** A text, a pattern, the character to begin at, which of those found, and flags. */
  public static final SqlFunction REGEXP_SUBSTR =
      of("REGEXP_SUBSTR", found(), 2, text(), text(), number(), number(), text());

  static final List<SqlOperator> ALL =
      List.of(
          OCTETS_SUBSTRING,
          OCTETS_POSITION,
          OCTETS_OVERLAY,
          NORMALIZE,
          REGEXP_SUBSTR,
          of("REGEXP_INSTR", ReturnTypes.INTEGER_NULLABLE, 2, text(), text(), number(), number()),
          of("REGEXP_COUNT", ReturnTypes.INTEGER_NULLABLE, 2, text(), text(), number(), text()),
          of("SPLIT_PART", varchar(), 3, text(), text(), number()),
          of("MD5", varchar(), 1, text()),
          of("SHA1", varchar(), 1, text()),
          of("SHA256", varchar(), 1, text()),
          of("SHA512", varchar(), 1, text()),
          SqlBasicFunction.create(
              "HEX",
              varchar(),
              OperandTypes.CHARACTER.or(OperandTypes.BINARY),
              SqlFunctionCategory.STRING),
          of("TO_CHAR", varchar(), 2, SqlTypeFamily.DATETIME, text()),
          of("TO_DATE", nullable(SqlTypeName.DATE), 2, text(), text()),
          SqlBasicFunction.create(
              "TO_TIMESTAMP",
              binding ->
                  binding
                      .getTypeFactory()
                      .createTypeWithNullability(
                          binding.getTypeFactory().createSqlType(SqlTypeName.TIMESTAMP, 6),
                          binding.getOperandType(0).isNullable()
                              || binding.getOperandType(1).isNullable()),
              OperandTypes.STRING_STRING,
              SqlFunctionCategory.TIMEDATE),
          SqlLibraryOperators.DAYNAME,
          SqlLibraryOperators.MONTHNAME,
          SqlLibraryOperators.SOUNDEX,
          SqlLibraryOperators.DIFFERENCE);

  private TextOperators() {}

  /** The first value of a call that counts its places USING OCTETS. */
  public static SqlNode octets(SqlNode value, SqlParserPos at) {
    return OCTETS.createCall(at, value);
  }

  /** Such a call as that of a function of its own; null for any other. */
  public static @Nullable SqlCall withOctets(SqlCall call) {
    if (call.operandCount() == 0
        || !(call.operand(0) instanceof SqlCall first)
        || !first.getOperator().equals(OCTETS)) {
      return null;
    }
    SqlFunction function =
        switch (call.getOperator().getName()) {
          case "POSITION" -> OCTETS_POSITION;
          case "OVERLAY" -> OCTETS_OVERLAY;
          default -> OCTETS_SUBSTRING;
        };
    List<SqlNode> values = new ArrayList<>(call.getOperandList());
    values.set(0, first.operand(0));
    return function.createCall(call.getParserPosition(), values);
  }

  private static SqlTypeFamily text() {
    return SqlTypeFamily.CHARACTER;
  }

  private static SqlTypeFamily number() {
    return SqlTypeFamily.INTEGER;
  }

  private static SqlReturnTypeInference varchar() {
    return ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.TO_NULLABLE);
  }

  /** A text that is NULL where nothing is found. */
  private static SqlReturnTypeInference found() {
    return ReturnTypes.VARCHAR.andThen(SqlTypeTransforms.FORCE_NULLABLE);
  }

  private static SqlReturnTypeInference nullable(SqlTypeName type) {
    return ReturnTypes.explicit(type).andThen(SqlTypeTransforms.TO_NULLABLE);
  }

  /**
   * A function whose values behind the first few may be left out.
   *
   * @param required how many may not
   */
  private static SqlFunction of(
      String name, SqlReturnTypeInference type, int required, SqlTypeFamily... families) {
    return SqlBasicFunction.create(
        name,
        type,
        OperandTypes.family(new ArrayList<>(List.of(families)), i -> i >= required),
        SqlFunctionCategory.STRING);
  }
}
