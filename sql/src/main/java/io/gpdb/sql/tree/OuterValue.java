package io.gpdb.sql.tree;

import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;
import org.apache.calcite.sql.validate.SqlValidator;
import org.apache.calcite.sql.validate.SqlValidatorScope;
import org.jspecify.annotations.Nullable;

/**
 * The placeholder of an outer column in a subquery, and what binds its value, in syntax and in the
 * expressions that come of it; {@link BoundSubQueries} takes both out again.
 *
 * <pre>
 * OUTER_VALUE$3                          column number 3, in a subquery at any depth
 * BOUND$3$5(subquery, column, column)    the subquery, where numbers 3 and 5 are those columns
 * </pre>
 */
public final class OuterValue extends SqlFunction {
  private final List<Integer> numbers;
  private final boolean binds;
  private final @Nullable RelDataType type;

  private OuterValue(
      String name, List<Integer> numbers, boolean binds, @Nullable RelDataType type) {
    super(
        name,
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.ARG0,
        null,
        OperandTypes.VARIADIC,
        SqlFunctionCategory.SYSTEM);
    this.numbers = numbers;
    this.binds = binds;
    this.type = type;
  }

  /** A column's placeholder, of the type that the column has. */
  public static OuterValue of(int number, RelDataType type) {
    return new OuterValue("OUTER_VALUE$" + number, List.of(number), false, type);
  }

  /** Its operands are the subquery and the column of each number. */
  public static OuterValue binding(List<Integer> numbers) {
    StringBuilder name = new StringBuilder("BOUND");
    numbers.forEach(number -> name.append('$').append(number));
    return new OuterValue(name.toString(), List.copyOf(numbers), true, null);
  }

  /** No table of functions has it: its type is that of the value. */
  @Override
  public RelDataType deriveType(SqlValidator validator, SqlValidatorScope scope, SqlCall call) {
    return type != null ? type : validator.deriveType(scope, call.operand(0));
  }

  public boolean binds() {
    return binds;
  }

  public List<Integer> numbers() {
    return numbers;
  }
}
