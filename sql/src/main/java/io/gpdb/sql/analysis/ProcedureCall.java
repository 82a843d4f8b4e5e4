package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.change.ViewExpansion;
import io.gpdb.sql.conversion.QueryConversion;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.definition.SchemaPath;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.statement.ProcedureStep;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.validation.ParameterGuesses;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDynamicParam;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlUnresolvedFunction;
import org.apache.calcite.sql.SqlUtil;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.jspecify.annotations.Nullable;

/** CALL of a procedure: its arguments as a query, and its statements with parameters. */
final class ProcedureCall {
  private final RoutineDef procedure;
  private final CatalogSnapshot catalog;

  ProcedureCall(RoutineDef procedure, CatalogSnapshot catalog) {
    this.procedure = procedure;
    this.catalog = catalog;
  }

  /** The procedure that is called; null where the name is none of a procedure. */
  static @Nullable RoutineDef called(SqlNode called, CatalogSnapshot catalog) {
    SqlIdentifier name = null;
    if (called instanceof SqlIdentifier id) {
      name = id;
    } else if (called instanceof SqlCall call
        && call.getOperator() instanceof SqlUnresolvedFunction function) {
      name = function.getNameAsId();
    }
    if (name == null || name.names.size() > 2) {
      return null;
    }
    RoutineDef routine =
        catalog.routine(
            name.isSimple()
                ? new ObjectName(catalog.path().current(), name.getSimple())
                : new ObjectName(name.names.get(0), name.names.get(1)));
    return routine == null || routine.isFunction() ? null : routine;
  }

  /** A query for the value of an expression. */
  static SqlNode values(SqlNode expression) {
    return SqlStdOperatorTable.VALUES.createCall(
        expression.getParserPosition(),
        SqlStdOperatorTable.ROW.createCall(expression.getParserPosition(), expression));
  }

  Analyzed.Call of(SqlNode called, Supplier<QueryConversion> conversions) {
    List<SqlNode> given = called instanceof SqlCall call ? call.getOperandList() : List.of();
    if (given.size() != procedure.parameters().size()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "procedure %s has %d parameters%s"
              .formatted(
                  procedure.fullName(), procedure.parameters().size(), TableNames.at(called)));
    }
    SortedMap<Integer, ParameterDef> numbered = new TreeMap<>();
    List<Integer> marks = new ArrayList<>();
    SqlNodeList values = new SqlNodeList(called.getParserPosition());
    for (int i = 0; i < given.size(); i++) {
      RoutineParameter parameter = procedure.parameters().get(i);
      SqlNode argument = given.get(i);
      marks.add(argument instanceof SqlDynamicParam marked ? marked.getIndex() : -1);
      if (parameter.takesValue()) {
        values.add(
            SqlStdOperatorTable.CAST.createCall(
                argument.getParserPosition(),
                argument,
                ParameterGuesses.declared(parameter.type())));
      } else if (argument instanceof SqlDynamicParam marked) {
        numbered.put(marked.getIndex(), new ParameterDef(parameter.type()));
      } else if (!SqlUtil.isNullLiteral(argument, true)) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED,
            "an argument of OUT parameter %s that is neither ? nor NULL is not supported%s"
                .formatted(parameter.name(), TableNames.at(argument)));
      }
    }
    QueryConversion.Converted query = null;
    if (!values.isEmpty()) {
      SqlNode row = QueryConversion.select(values, null, null);
      query = conversions.get().query(ViewExpansion.in(row, catalog));
      numbered.putAll(query.numbered());
    }
    List<ParameterDef> parameters = QueryConversion.allOf(numbered);
    return new Analyzed.Call(
        procedure,
        query == null ? null : new Analyzed.Query(query.root(), parameters, query.output()),
        steps(),
        marks,
        parameters);
  }

  private List<ProcedureStep> steps() {
    ProcedureBody body =
        new ProcedureBody(
            procedure.fullName(),
            procedure.parameters(),
            catalog.in(new SchemaPath(null, procedure.namesFrom())));
    List<ProcedureStep> steps = new ArrayList<>();
    procedure.body().forEach(statement -> steps.add(body.step(statement)));
    return steps;
  }
}
