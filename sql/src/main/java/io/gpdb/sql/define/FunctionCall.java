package io.gpdb.sql.define;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.conversion.NodeCopy;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.definition.DomainDef;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.dialect.RequiredValue;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.fun.SqlTrimFunction;
import org.apache.calcite.sql.parser.SqlParseException;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.util.SqlBasicVisitor;
import org.apache.calcite.sql.util.SqlShuttle;
import org.jspecify.annotations.Nullable;

/**
 * A call of a function whose body is SQL, and the expression that is put in its place: the body
 * with the arguments, each assigned to the type of its parameter, assigned to the type that the
 * function returns: a cast, but that a text is not cut.
 *
 * <pre>
 *   body without a query    CAST(body with arguments AS type)
 *   body with a query       (SELECT CAST(body AS type) FROM (VALUES (arguments)) AS f (parameters))
 * </pre>
 *
 * The latter keeps the names in the arguments apart from those in the body.
 */
public final class FunctionCall {
  private final RoutineDef function;
  private final SqlParserPos place;

  public FunctionCall(RoutineDef function, SqlParserPos place) {
    this.function = function;
    this.place = place;
  }

  /** The function that is called; null where the call is of no function of the catalog. */
  public static @Nullable RoutineDef called(SqlCall call, CatalogSnapshot catalog) {
    if (catalog.routines().isEmpty()
        || !(call.getOperator() instanceof SqlUnresolvedFunction operator)) {
      return null;
    }
    SqlIdentifier name = operator.getNameAsId();
    RoutineDef routine =
        switch (name.names.size()) {
          case 1 -> catalog.routine(new ObjectName(catalog.path().current(), name.getSimple()));
          case 2 -> catalog.routine(new ObjectName(name.names.get(0), name.names.get(1)));
          default -> null;
        };
    if (routine != null) {
      check(routine, call);
    }
    return routine;
  }

  /**
   * Refuses the calls of functions of the catalog, those that cast to and from distinct types too,
   * in an expression that a table keeps.
   *
   * @param place what the expression is, with its article
   */
  static void requireNone(SqlNode expression, CatalogSnapshot catalog, String place) {
    expression.accept(
        new SqlBasicVisitor<@Nullable Void>() {
          @Override
          public @Nullable Void visit(SqlCall call) {
            RoutineDef function = called(call, catalog);
            DomainDef type = DomainCast.byFunction(call, catalog);
            if (function != null || type != null) {
              throw new GpdbException(
                  ErrorCode.NOT_SUPPORTED,
                  "%s is not supported in %s%s"
                      .formatted(
                          function == null
                              ? "a cast by type " + Objects.requireNonNull(type).fullName()
                              : "function " + function.fullName(),
                          place,
                          TableNames.at(call)));
            }
            return super.visit(call);
          }
        });
  }

  /** The same for the text of an expression; what is no expression is left to others. */
  static void requireNone(String expression, CatalogSnapshot catalog, String place) {
    if (!catalog.routines().isEmpty() || catalog.hasDistinctTypes()) {
      try {
        requireNone(SqlText.expression(expression), catalog, place);
      } catch (SqlParseException e) {
        return;
      }
    }
  }

  private static void check(RoutineDef routine, SqlCall call) {
    if (!routine.isFunction()) {
      throw new GpdbException(
          SqlCondition.WRONG_KIND_OF_OBJECT,
          routine.fullName() + " is a procedure, which CALL calls" + TableNames.at(call));
    }
    for (SqlNode argument : call.getOperandList()) {
      if (argument.getKind() == SqlKind.ARGUMENT_ASSIGNMENT) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED,
            "an argument by the name of its parameter is not supported" + TableNames.at(argument));
      }
    }
    boolean star = call.getOperandList().stream().anyMatch(FunctionCall::isStar);
    if (star
        || call.getFunctionQuantifier() != null
        || call.operandCount() != routine.parameters().size()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "function %s has %d parameters%s"
              .formatted(routine.fullName(), routine.parameters().size(), TableNames.at(call)));
    }
  }

  private static boolean isStar(SqlNode argument) {
    return argument instanceof SqlIdentifier id && id.isStar();
  }

  /** The expression of the function as it was written. */
  public static SqlNode body(RoutineDef function) {
    try {
      return SqlText.expression(function.body().getFirst());
    } catch (SqlParseException e) {
      throw new GpdbException(
          ErrorCode.CORRUPTION, "the body of " + function.fullName() + " cannot be read", e);
    }
  }

  /**
   * The call as an expression.
   *
   * @param body that of the function, which may be changed
   */
  public SqlNode inlined(SqlNode body, List<SqlNode> arguments) {
    List<SqlNode> values = new ArrayList<>();
    for (int i = 0; i < arguments.size(); i++) {
      values.add(assigned(arguments.get(i), function.parameters().get(i).type()));
    }
    if (values.isEmpty() || !NodeSearch.hasQuery(body)) {
      return value(replaced(body, values), values);
    }
    List<SqlNode> names = new ArrayList<>();
    for (RoutineParameter parameter : function.parameters()) {
      names.add(new SqlIdentifier(parameter.name(), place));
    }
    SqlNode query =
        QueryConversion.select(SqlNodeList.of(value(body, names)), arguments(values), null);
    return SqlStdOperatorTable.SCALAR_QUERY.createCall(place, query);
  }

  /** A table of one row with the arguments, which has the function's name. */
  private SqlNode arguments(List<SqlNode> values) {
    List<SqlNode> operands = new ArrayList<>();
    operands.add(
        SqlStdOperatorTable.VALUES.createCall(
            place,
            SqlStdOperatorTable.ROW.createCall(
                place, values.stream().map(this::nullable).toList())));
    operands.add(new SqlIdentifier(function.fullName().name(), place));
    for (RoutineParameter parameter : function.parameters()) {
      operands.add(new SqlIdentifier(parameter.name(), place));
    }
    return SqlStdOperatorTable.AS.createCall(place, operands);
  }

  /**
   * The value, of a type with NULL: what the validator knows not to be NULL the converter may not
   * know any more.
   */
  private SqlNode nullable(SqlNode value) {
    SqlNodeList always = SqlNodeList.of(SqlLiteral.createBoolean(true, place));
    return SqlCase.createSwitched(place, null, always, SqlNodeList.of(value), null);
  }

  /** A query that is valid where the body is an expression over the parameters. */
  public SqlNode trial(SqlNode body) {
    List<SqlNode> values = new ArrayList<>();
    for (RoutineParameter parameter : function.parameters()) {
      values.add(cast(SqlLiteral.createNull(place), parameter.type()));
    }
    SqlNode from = values.isEmpty() ? null : arguments(values);
    SqlNode returned = cast(body, Objects.requireNonNull(function.returns()));
    SqlNode where = SqlStdOperatorTable.IS_NULL.createCall(place, returned);
    return QueryConversion.select(
        SqlNodeList.of(SqlLiteral.createExactNumeric("1", place)), from, where);
  }

  private SqlNode value(SqlNode body, List<SqlNode> parameters) {
    SqlNode value = assigned(body, Objects.requireNonNull(function.returns()));
    if (!function.traits().nullOnNull() || parameters.isEmpty()) {
      return value;
    }
    SqlNodeList conditions = new SqlNodeList(place);
    SqlNodeList nulls = new SqlNodeList(place);
    for (SqlNode parameter : parameters) {
      conditions.add(SqlStdOperatorTable.IS_NULL.createCall(place, NodeCopy.of(parameter)));
      nulls.add(SqlLiteral.createNull(place));
    }
    return SqlCase.createSwitched(place, null, conditions, nulls, value);
  }

  /** The value as it is stored in a column of the type: a text is not cut, but for blanks. */
  private SqlNode assigned(SqlNode value, SqlTypeSpec type) {
    if (!type.kind().isCharacter() || type.precision() == SqlTypeSpec.UNBOUNDED) {
      return cast(value, type);
    }
    SqlNode text = cast(value, SqlTypeSpec.VARCHAR);
    SqlNode bare =
        SqlStdOperatorTable.TRIM.createCall(
            place,
            SqlTrimFunction.Flag.TRAILING.symbol(place),
            SqlLiteral.createCharString(" ", place),
            NodeCopy.of(text));
    SqlNode fits =
        SqlStdOperatorTable.LESS_THAN_OR_EQUAL.createCall(
            place,
            SqlStdOperatorTable.CHAR_LENGTH.createCall(place, bare),
            SqlLiteral.createExactNumeric(Integer.toString(type.precision()), place));
    return RequiredValue.of(
        cast(text, type),
        fits,
        SqlCondition.STRING_TOO_LONG,
        "a text is too long for a " + type + " of function " + function.fullName(),
        place);
  }

  private SqlNode cast(SqlNode value, SqlTypeSpec type) {
    return SqlStdOperatorTable.CAST.createCall(place, value, ParameterGuesses.declared(type));
  }

  /** The body with values in the places of parameters. */
  private SqlNode replaced(SqlNode body, List<SqlNode> values) {
    SqlShuttle replacing =
        new SqlShuttle() {
          @Override
          public @Nullable SqlNode visit(SqlIdentifier id) {
            int index = parameter(id);
            return index < 0 ? id : NodeCopy.of(values.get(index));
          }
        };
    return Objects.requireNonNull(body.accept(replacing), "a body");
  }

  private int parameter(SqlIdentifier id) {
    boolean qualified =
        id.names.size() == 2 && id.names.getFirst().equals(function.fullName().name());
    for (int i = 0; i < function.parameters().size() && (id.isSimple() || qualified); i++) {
      if (function.parameters().get(i).name().equals(id.names.getLast())) {
        return i;
      }
    }
    return -1;
  }
}
