package io.gpdb.jdbc.metadata;

import io.gpdb.jdbc.value.JdbcTypes;
import io.gpdb.jdbc.value.Positions;
import io.gpdb.jdbc.value.Wrappers;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.ParameterDef;
import io.gpdb.sql.type.SqlTypeSpec;
import java.sql.ParameterMetaData;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the parameters of a statement are; of a call of a function the value that it returns is the
 * first.
 */
public final class GpdbParameterMetaData implements ParameterMetaData {
  private final List<ParameterDef> parameters;

  /** By position, the modes of those that are not IN. */
  private final Map<Integer, Integer> modes;

  public GpdbParameterMetaData(List<ParameterDef> parameters) {
    this(parameters, Map.of());
  }

  public GpdbParameterMetaData(List<ParameterDef> parameters, Map<Integer, Integer> modes) {
    this.parameters = parameters;
    this.modes = Map.copyOf(modes);
  }

  /** Those of a call, behind the value of that type that it returns. */
  public static GpdbParameterMetaData ofCall(SqlTypeSpec returned, List<ParameterDef> parameters) {
    List<ParameterDef> all = new ArrayList<>(parameters);
    all.addFirst(new ParameterDef(returned));
    return new GpdbParameterMetaData(all, Map.of(1, parameterModeOut));
  }

  private SqlTypeSpec type(int parameter) throws SQLException {
    return Positions.checked(parameters, parameter, SqlCondition.PARAMETER_COUNT, "parameter")
        .type();
  }

  @Override
  public int getParameterCount() {
    return parameters.size();
  }

  @Override
  public int isNullable(int parameter) throws SQLException {
    type(parameter);
    return parameterNullableUnknown;
  }

  @Override
  public boolean isSigned(int parameter) throws SQLException {
    return JdbcTypes.isSigned(type(parameter).kind());
  }

  @Override
  public int getPrecision(int parameter) throws SQLException {
    return JdbcTypes.precision(type(parameter));
  }

  @Override
  public int getScale(int parameter) throws SQLException {
    return JdbcTypes.scale(type(parameter));
  }

  @Override
  public int getParameterType(int parameter) throws SQLException {
    return JdbcTypes.code(type(parameter));
  }

  @Override
  public String getParameterTypeName(int parameter) throws SQLException {
    return JdbcTypes.name(type(parameter));
  }

  @Override
  public String getParameterClassName(int parameter) throws SQLException {
    return JdbcTypes.className(type(parameter));
  }

  @Override
  public int getParameterMode(int parameter) throws SQLException {
    type(parameter);
    return modes.getOrDefault(parameter, parameterModeIn);
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return Wrappers.unwrap(this, type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) {
    return Wrappers.isOf(this, type);
  }
}
