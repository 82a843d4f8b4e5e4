package io.gpdb.session;

import io.gpdb.planner.statement.ParameterValues;
import io.gpdb.planner.statement.RowSet;
import io.gpdb.sql.definition.RoutineParameter;
import io.gpdb.sql.type.SqlTypeSpec;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** The values of a procedure's parameters while it runs; they are NULL at first. */
final class ProcedureVariables {
  private static final byte[] NONE = {};

  private final SqlTypeSpec[] types;
  private final boolean[] nulls;
  private final long[] raws;
  private final byte[][] strings;

  ProcedureVariables(List<RoutineParameter> parameters) {
    types = parameters.stream().map(RoutineParameter::type).toArray(SqlTypeSpec[]::new);
    nulls = new boolean[types.length];
    raws = new long[types.length];
    strings = new byte[types.length][];
    Arrays.fill(nulls, true);
    Arrays.fill(strings, NONE);
  }

  /** Takes the columns of the row that the source is on; their types are those of the variables. */
  void set(int[] targets, RowSet source) {
    for (int i = 0; i < targets.length; i++) {
      int variable = targets[i];
      boolean string = types[variable].kind().isString();
      nulls[variable] = source.isNull(i);
      raws[variable] = string || nulls[variable] ? 0 : source.raw(i);
      strings[variable] = string && !nulls[variable] ? source.bytes(i) : NONE;
    }
  }

  /** Values of parameters: those of some variables, in that order. */
  ParameterValues values(int[] variables) {
    return new Values(variables);
  }

  /** One row of some variables. */
  BufferedRows row(int[] variables) {
    SqlTypeSpec[] of = Arrays.stream(variables).mapToObj(i -> types[i]).toArray(SqlTypeSpec[]::new);
    BufferedRows rows = new BufferedRows(of);
    rows.append(new Row(variables));
    return rows;
  }

  private final class Values implements ParameterValues {
    private final int[] variables;

    Values(int[] variables) {
      this.variables = variables;
    }

    @Override
    public int count() {
      return variables.length;
    }

    @Override
    public boolean isNull(int parameter) {
      return nulls[variables[parameter]];
    }

    @Override
    public long raw(int parameter) {
      return raws[variables[parameter]];
    }

    @Override
    public byte[] bytes(int parameter) {
      return strings[variables[parameter]];
    }

    @Override
    public long nowMicros() {
      throw new IllegalStateException("the engine knows the time of an execution");
    }
  }

  private final class Row implements RowSet {
    private final int[] variables;

    Row(int[] variables) {
      this.variables = variables;
    }

    @Override
    public boolean next() {
      return false;
    }

    @Override
    public boolean isNull(int column) {
      return nulls[variables[column]];
    }

    @Override
    public long raw(int column) {
      return raws[variables[column]];
    }

    @Override
    public byte[] bytes(int column) {
      return strings[variables[column]];
    }

    @Override
    public String string(int column) {
      return new String(bytes(column), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
      // holds nothing
    }
  }
}
