package io.gpdb.jdbc.metadata;

import io.gpdb.jdbc.value.JdbcTypes;
import io.gpdb.jdbc.value.Positions;
import io.gpdb.jdbc.value.Wrappers;
import io.gpdb.sql.error.SqlCondition;
import io.gpdb.sql.statement.OutputColumn;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.util.List;

/** What the columns of a result are. */
public final class GpdbResultSetMetaData implements ResultSetMetaData {
  private final List<OutputColumn> columns;

  public GpdbResultSetMetaData(List<OutputColumn> columns) {
    this.columns = columns;
  }

  private OutputColumn column(int number) throws SQLException {
    return Positions.checked(columns, number, SqlCondition.COLUMN_NOT_FOUND, "column");
  }

  @Override
  public int getColumnCount() {
    return columns.size();
  }

  @Override
  public boolean isAutoIncrement(int column) throws SQLException {
    return column(column).isIdentity();
  }

  @Override
  public boolean isCaseSensitive(int column) throws SQLException {
    return column(column).type().kind().isCharacter();
  }

  @Override
  public boolean isSearchable(int column) throws SQLException {
    column(column);
    return true;
  }

  @Override
  public boolean isCurrency(int column) throws SQLException {
    column(column);
    return false;
  }

  @Override
  public int isNullable(int column) throws SQLException {
    return column(column).nullable() ? columnNullable : columnNoNulls;
  }

  @Override
  public boolean isSigned(int column) throws SQLException {
    return JdbcTypes.isSigned(column(column).type().kind());
  }

  @Override
  public int getColumnDisplaySize(int column) throws SQLException {
    return JdbcTypes.displaySize(column(column).type());
  }

  @Override
  public String getColumnLabel(int column) throws SQLException {
    return column(column).name();
  }

  @Override
  public String getColumnName(int column) throws SQLException {
    String own = column(column).column();
    return own == null ? column(column).name() : own;
  }

  @Override
  public String getSchemaName(int column) throws SQLException {
    String schema = column(column).schema();
    return schema == null ? "" : schema;
  }

  @Override
  public String getTableName(int column) throws SQLException {
    String table = column(column).table();
    return table == null ? "" : table;
  }

  @Override
  public String getCatalogName(int column) throws SQLException {
    column(column);
    return "";
  }

  @Override
  public int getPrecision(int column) throws SQLException {
    return JdbcTypes.precision(column(column).type());
  }

  @Override
  public int getScale(int column) throws SQLException {
    return JdbcTypes.scale(column(column).type());
  }

  @Override
  public int getColumnType(int column) throws SQLException {
    return JdbcTypes.code(column(column).type());
  }

  @Override
  public String getColumnTypeName(int column) throws SQLException {
    return JdbcTypes.name(column(column).type());
  }

  @Override
  public String getColumnClassName(int column) throws SQLException {
    return JdbcTypes.className(column(column).type());
  }

  @Override
  public boolean isReadOnly(int column) throws SQLException {
    return column(column).table() == null;
  }

  @Override
  public boolean isWritable(int column) throws SQLException {
    return column(column).table() != null;
  }

  @Override
  public boolean isDefinitelyWritable(int column) throws SQLException {
    column(column);
    return false;
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
