package io.gpdb.sql.parser;

import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.definition.RoutineTraits;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** A routine as CREATE FUNCTION or CREATE PROCEDURE writes it. */
public final class RoutineClause {
  /** A parameter with its declared type. */
  public record Parameter(SqlIdentifier name, RoutineParameter.Mode mode, SqlDataTypeSpec type) {}

  private final SqlIdentifier name;
  private final List<Parameter> parameters = new ArrayList<>();
  private final List<SqlParserPos> statements = new ArrayList<>();
  private @Nullable SqlDataTypeSpec returns;
  private @Nullable SqlIdentifier specific;
  private @Nullable SqlNode value;
  private RoutineTraits.@Nullable Access access;
  private boolean deterministic;
  private boolean nullOnNull;
  private boolean atomic;

  public RoutineClause(SqlIdentifier name) {
    this.name = name;
  }

  public SqlIdentifier name() {
    return name;
  }

  public void add(SqlIdentifier parameter, RoutineParameter.Mode mode, SqlDataTypeSpec type) {
    parameters.add(new Parameter(parameter, mode, type));
  }

  public List<Parameter> parameters() {
    return parameters;
  }

  public void returns(SqlDataTypeSpec type) {
    returns = type;
  }

  /** The type of a function's value; null for a procedure. */
  public @Nullable SqlDataTypeSpec returns() {
    return returns;
  }

  public void specific(SqlIdentifier given) {
    specific = given;
  }

  public @Nullable SqlIdentifier specific() {
    return specific;
  }

  public void deterministic(boolean claim) {
    deterministic = claim;
  }

  public void access(RoutineTraits.Access written) {
    access = written;
  }

  public void nullOnNull(boolean claim) {
    nullOnNull = claim;
  }

  public void atomic() {
    atomic = true;
  }

  /** What it is said to do with tables; null where nothing is said. */
  public RoutineTraits.@Nullable Access access() {
    return access;
  }

  /** With what it does with tables. */
  public RoutineTraits traits(RoutineTraits.Access does) {
    return new RoutineTraits(deterministic, does, nullOnNull, atomic);
  }

  /** Takes the expression that a function returns. */
  public void value(SqlNode expression) {
    value = expression;
  }

  public @Nullable SqlNode value() {
    return value;
  }

  /** Takes the place of one statement of a procedure. */
  public void add(SqlParserPos statement) {
    statements.add(statement);
  }

  public List<SqlParserPos> statements() {
    return statements;
  }

  /** Throws 0A000 for a language other than SQL. */
  public static void requireSql(SqlIdentifier language) {
    if (!language.getSimple().toUpperCase(Locale.ROOT).equals("SQL")) {
      throw ParseErrors.refused("LANGUAGE " + language.getSimple(), language.getParserPosition());
    }
  }
}
