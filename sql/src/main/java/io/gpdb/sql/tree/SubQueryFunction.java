package io.gpdb.sql.tree;

import io.gpdb.sql.type.GpTypes;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.calcite.rel.RelNode;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlFunctionCategory;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.type.OperandTypes;
import org.apache.calcite.sql.type.ReturnTypes;

/**
 * A subquery as a function of the values of the outer row that it reads. Its query is a tree of its
 * own, without correlation: the arguments of a call are bound to the query's parameters. It is
 * evaluated when its value is asked for, and never otherwise.
 */
public final class SubQueryFunction extends SqlFunction {
  /** What the value of a call is. */
  public enum Kind {
    /** Whether the query has a row. */
    EXISTS,
    /** The only field of the query's only row; NULL without a row, an error with several. */
    VALUE,
    /** TRUE where that value is 2, unknown where it is 1, else FALSE. */
    GRADE
  }

  private final int number;
  private final Kind answer;
  private final RelDataType type;
  private final RelNode query;
  private final List<SqlTypeSpec> argumentTypes;
  private final List<Integer> parameters;
  private final List<Integer> outer;
  private final int value;

  SubQueryFunction(
      int number,
      Kind answer,
      RelDataType type,
      RelNode query,
      List<SqlTypeSpec> argumentTypes,
      List<Integer> parameters,
      List<Integer> outer,
      int value) {
    super(
        "SUBQUERY" + number,
        SqlKind.OTHER_FUNCTION,
        ReturnTypes.explicit(type),
        null,
        OperandTypes.VARIADIC,
        SqlFunctionCategory.SYSTEM);
    this.number = number;
    this.answer = answer;
    this.type = type;
    this.query = query;
    this.argumentTypes = List.copyOf(argumentTypes);
    this.parameters = List.copyOf(parameters);
    this.outer = List.copyOf(outer);
    this.value = value;
  }

  /** The same function with its query rewritten. */
  public SubQueryFunction rewritten(UnaryOperator<RelNode> rewriting) {
    return new SubQueryFunction(
        number, answer, type, rewriting.apply(query), argumentTypes, parameters, outer, value);
  }

  public Kind answer() {
    return answer;
  }

  public RelNode query() {
    return query;
  }

  /** The type of a call. */
  public RelDataType type() {
    return type;
  }

  public SqlTypeSpec valueType() {
    return GpTypes.spec(type);
  }

  public List<SqlTypeSpec> argumentTypes() {
    return argumentTypes;
  }

  /** The parameter of the query that each argument is bound to. */
  public List<Integer> parameters() {
    return parameters;
  }

  /** Parameters of enclosing subqueries that the query reads, besides those of the arguments. */
  public List<Integer> outer() {
    return outer;
  }

  /** A parameter that its value can be bound to, where it is found before. */
  public int value() {
    return value;
  }

  /** Whether its query reads no outer values, so that all calls have one value. */
  public boolean isOfOneValue() {
    return parameters.isEmpty() && outer.isEmpty();
  }

  /** Is not folded to a constant, even without arguments. */
  @Override
  public boolean isDynamicFunction() {
    return true;
  }
}
