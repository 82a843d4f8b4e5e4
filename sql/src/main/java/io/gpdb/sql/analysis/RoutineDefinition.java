package io.gpdb.sql.analysis;

import io.gpdb.sql.catalog.CatalogSnapshot;
import io.gpdb.sql.change.ViewExpansion;
import io.gpdb.sql.conversion.NodeCopy;
import io.gpdb.sql.define.DomainDefinition;
import io.gpdb.sql.define.FunctionCall;
import io.gpdb.sql.define.TableDefinition;
import io.gpdb.sql.definition.ObjectName;
import io.gpdb.sql.definition.RoutineDef;
import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.definition.RoutineTraits;
import io.gpdb.sql.definition.TableDef;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.parser.ParseErrors;
import io.gpdb.sql.parser.RoutineClause;
import io.gpdb.sql.parser.RoutineReference;
import io.gpdb.sql.statement.Analyzed;
import io.gpdb.sql.syntax.DeclaredType;
import io.gpdb.sql.syntax.NodeSearch;
import io.gpdb.sql.syntax.TableNames;
import io.gpdb.sql.text.SqlText;
import io.gpdb.sql.type.SqlTypeSpec;
import io.gpdb.sql.validation.FunctionNames;
import io.gpdb.storage.error.ErrorCode;
import io.gpdb.storage.error.GpdbException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.jspecify.annotations.Nullable;

/** Makes routines from what is written, and finds those that a statement names. */
final class RoutineDefinition {
  private final SqlText text;
  private final CatalogSnapshot catalog;

  RoutineDefinition(SqlText text, CatalogSnapshot catalog) {
    this.text = text;
    this.catalog = catalog;
  }

  /** Converts a query to see whether it is valid. */
  interface Trial {
    void query(SqlNode query);
  }

  /** Analyses a statement to see whether it is valid. */
  interface StepTrial {
    Analyzed step(String sql);
  }

  RoutineDef of(RoutineClause clause, Trial trial, StepTrial steps) {
    SqlNode value = clause.value();
    SqlDataTypeSpec returns = clause.returns();
    if (value == null) {
      return procedure(clause, steps);
    }
    if (returns == null) {
      throw ParseErrors.wrong("a function without RETURNS", clause.name().getParserPosition());
    }
    return function(clause, returns, value, trial);
  }

  private RoutineDef function(
      RoutineClause clause, SqlDataTypeSpec returns, SqlNode value, Trial trial) {
    NodeSearch.checkSupported(value);
    if (NodeSearch.hasParameter(value)) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "a function has no parameters but those that it names" + TableNames.at(value));
    }
    ObjectName name = TableNames.newName(clause.name(), catalog);
    List<ObjectName> calls = ViewExpansion.calls(value, catalog);
    requireNoCallOf(name, value);
    List<ObjectName> uses = ViewExpansion.uses(value, catalog);
    requireNoTemporary(name, uses);
    RoutineDef function =
        new RoutineDef(
            -1,
            name,
            specific(clause, name),
            parameters(clause),
            type(returns),
            clause.traits(access(clause, name, uses)),
            List.of(text.at(value.getParserPosition())),
            uses,
            calls,
            catalog.path().current(),
            List.of());
    trial.query(new FunctionCall(function, value.getParserPosition()).trial(NodeCopy.of(value)));
    return function;
  }

  private RoutineDef procedure(RoutineClause clause, StepTrial trial) {
    ObjectName name = TableNames.newName(clause.name(), catalog);
    List<RoutineParameter> parameters = parameters(clause);
    ProcedureBody body = new ProcedureBody(name, parameters, catalog);
    List<String> statements = clause.statements().stream().map(text::at).toList();
    if (statements.isEmpty() && !clause.traits(RoutineTraits.Access.CONTAINS_SQL).atomic()) {
      throw ParseErrors.wrong("a procedure without a statement", clause.name().getParserPosition());
    }
    for (String statement : statements) {
      requireSimple(trial.step(body.step(statement).sql()), statement);
    }
    requireNoTemporary(name, body.uses());
    RoutineTraits.Access written = clause.access();
    return new RoutineDef(
        -1,
        name,
        specific(clause, name),
        parameters,
        null,
        clause.traits(written == null ? RoutineTraits.Access.MODIFIES_SQL_DATA : written),
        statements,
        body.uses(),
        body.calls(),
        catalog.path().current(),
        List.of());
  }

  private static void requireSimple(Analyzed step, String statement) {
    boolean returns = step instanceof Analyzed.Call call && !call.returned().isEmpty();
    if (returns || step instanceof Analyzed.Returning) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "a statement that returns values in a procedure is not supported: " + statement);
    }
  }

  /** What a function does with tables; one that is said to read none reads none. */
  private static RoutineTraits.Access access(
      RoutineClause clause, ObjectName name, List<ObjectName> uses) {
    RoutineTraits.Access written = clause.access();
    if (written == RoutineTraits.Access.MODIFIES_SQL_DATA) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED, "a function with MODIFIES SQL DATA is not supported");
    }
    if (written == RoutineTraits.Access.CONTAINS_SQL && !uses.isEmpty()) {
      throw new GpdbException(
          SqlCondition.INVALID_STATEMENT,
          "function %s with CONTAINS SQL reads %s".formatted(name, uses.getFirst()));
    }
    if (written != null) {
      return written;
    }
    return uses.isEmpty() ? RoutineTraits.Access.CONTAINS_SQL : RoutineTraits.Access.READS_SQL_DATA;
  }

  /** It would be called without end. */
  private static void requireNoCallOf(ObjectName name, SqlNode value) {
    if (FunctionNames.in(value).stream().anyMatch(id -> id.equals(name.name()))) {
      throw new GpdbException(
          ErrorCode.NOT_SUPPORTED,
          "function " + name + " that calls itself is not supported" + TableNames.at(value));
    }
  }

  private void requireNoTemporary(ObjectName routine, List<ObjectName> uses) {
    for (ObjectName used : uses) {
      TableDef table = catalog.table(used);
      if (table != null && table.isTemporary()) {
        throw new GpdbException(
            ErrorCode.NOT_SUPPORTED,
            "routine " + routine + " over the temporary table " + used + " is not supported");
      }
    }
  }

  private static String specific(RoutineClause clause, ObjectName name) {
    SqlIdentifier specific = clause.specific();
    return specific == null ? name.name() : specific.names.getLast();
  }

  private List<RoutineParameter> parameters(RoutineClause clause) {
    ObjectName name = TableNames.newName(clause.name(), catalog);
    TableDefinition.checkedName(name.name(), clause.name());
    if (clause.returns() != null && FunctionNames.isBuiltIn(name.name())) {
      throw new GpdbException(
          SqlCondition.ROUTINE_EXISTS,
          "function " + name.name() + " is one of SQL" + TableNames.at(clause.name()));
    }
    Set<String> names = new HashSet<>();
    List<RoutineParameter> parameters = new ArrayList<>();
    for (RoutineClause.Parameter each : clause.parameters()) {
      String parameter = each.name().getSimple();
      if (!names.add(parameter)) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT,
            "parameter " + parameter + " is declared twice" + TableNames.at(each.name()));
      }
      if (clause.returns() != null && each.mode() != RoutineParameter.Mode.IN) {
        throw new GpdbException(
            SqlCondition.INVALID_STATEMENT,
            "parameter " + parameter + " of a function is not IN" + TableNames.at(each.name()));
      }
      parameters.add(new RoutineParameter(parameter, each.mode(), type(each.type())));
    }
    return parameters;
  }

  private SqlTypeSpec type(SqlDataTypeSpec declared) {
    if (DomainDefinition.in(declared, catalog) != null) {
      throw ParseErrors.refused(
          "a domain or distinct type in a routine", declared.getParserPosition());
    }
    return DeclaredType.of(declared);
  }

  /** The routine that a statement names; null where it is not there and need not be. */
  @Nullable RoutineDef named(RoutineReference reference, boolean ifExists) {
    RoutineDef found = find(reference);
    return found == null && !ifExists ? existing(reference) : found;
  }

  /** The routine that a statement names, or 42704. */
  RoutineDef existing(RoutineReference reference) {
    RoutineDef found = find(reference);
    if (found == null) {
      throw new GpdbException(
          SqlCondition.OBJECT_NOT_FOUND,
          "%s %s does not exist%s"
              .formatted(
                  reference.kind().name().toLowerCase(Locale.ROOT),
                  name(reference),
                  TableNames.at(reference.name())));
    }
    return found;
  }

  private @Nullable RoutineDef find(RoutineReference reference) {
    ObjectName name = name(reference);
    RoutineDef found = null;
    for (RoutineDef routine : catalog.routines()) {
      boolean same =
          reference.specific()
              ? routine.specific().equals(name.name())
                  && routine.fullName().schema().equals(name.schema())
              : routine.fullName().equals(name);
      found = same && isOf(reference, routine) ? routine : found;
    }
    return found;
  }

  /** Names of routines are not those of tables, also of temporary ones. */
  private ObjectName name(RoutineReference reference) {
    return reference.name().isSimple()
        ? new ObjectName(catalog.path().current(), reference.name().getSimple())
        : TableNames.named(reference.name(), catalog);
  }

  private boolean isOf(RoutineReference reference, RoutineDef routine) {
    boolean kind =
        switch (reference.kind()) {
          case FUNCTION -> routine.isFunction();
          case PROCEDURE -> !routine.isFunction();
          case ROUTINE -> true;
        };
    List<SqlDataTypeSpec> types = reference.types();
    return kind
        && (types == null
            || types.stream()
                .map(this::type)
                .toList()
                .equals(routine.parameters().stream().map(RoutineParameter::type).toList()));
  }
}
