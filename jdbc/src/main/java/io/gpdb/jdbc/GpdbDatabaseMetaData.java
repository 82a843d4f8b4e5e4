package io.gpdb.jdbc;

import io.gpdb.jdbc.metadata.Conversions;
import io.gpdb.jdbc.metadata.DatabaseTraits;
import io.gpdb.jdbc.metadata.DescribedTable;
import io.gpdb.jdbc.metadata.ForeignKeyRows;
import io.gpdb.jdbc.metadata.MetaDataRows;
import io.gpdb.jdbc.metadata.NamePattern;
import io.gpdb.jdbc.metadata.PrivilegeRows;
import io.gpdb.jdbc.metadata.RoutineRows;
import io.gpdb.jdbc.metadata.TypeRows;
import io.gpdb.jdbc.value.Wrappers;
import io.gpdb.sql.definition.HostTables;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What tools ask about the database; answers come from the catalog that the session sees. */
final class GpdbDatabaseMetaData extends DatabaseTraits {
  private static final List<@Nullable Object[]> NONE = List.of();

  private final ConnectionState connection;

  GpdbDatabaseMetaData(ConnectionState connection) {
    this.connection = connection;
  }

  private List<DescribedTable> tables(
      @Nullable String catalog, @Nullable String schema, @Nullable String name)
      throws SQLException {
    return DescribedTable.matching(connection.catalog(), catalog, schema, name);
  }

  /** The tables of that very name, as the methods want it that take no pattern. */
  private List<DescribedTable> table(
      @Nullable String catalog, @Nullable String schema, @Nullable String name)
      throws SQLException {
    List<DescribedTable> exact = new ArrayList<>();
    for (DescribedTable table : tables(catalog, null, null)) {
      if ((schema == null || table.schema().equals(schema)) && table.name().equals(name)) {
        exact.add(table);
      }
    }
    return exact;
  }

  @Override
  public ResultSet getTables(
      @Nullable String catalog,
      @Nullable String schemaPattern,
      @Nullable String tablePattern,
      String @Nullable [] types)
      throws SQLException {
    return MetaDataResult.TABLES.resultSet(
        MetaDataRows.tables(tables(catalog, schemaPattern, tablePattern), types));
  }

  @Override
  public ResultSet getColumns(
      @Nullable String catalog,
      @Nullable String schemaPattern,
      @Nullable String tablePattern,
      @Nullable String columnPattern)
      throws SQLException {
    return MetaDataResult.COLUMNS.resultSet(
        MetaDataRows.columns(tables(catalog, schemaPattern, tablePattern), columnPattern));
  }

  @Override
  public ResultSet getPrimaryKeys(@Nullable String catalog, @Nullable String schema, String table)
      throws SQLException {
    return MetaDataResult.PRIMARY_KEYS.resultSet(
        MetaDataRows.primaryKeys(table(catalog, schema, table)));
  }

  @Override
  public ResultSet getIndexInfo(
      @Nullable String catalog,
      @Nullable String schema,
      String table,
      boolean unique,
      boolean approximate)
      throws SQLException {
    return MetaDataResult.INDEX_INFO.resultSet(
        MetaDataRows.indexes(table(catalog, schema, table), unique));
  }

  @Override
  public ResultSet getBestRowIdentifier(
      @Nullable String catalog, @Nullable String schema, String table, int scope, boolean nullable)
      throws SQLException {
    return MetaDataResult.ROW_IDENTIFIERS.resultSet(
        MetaDataRows.bestRowIdentifier(table(catalog, schema, table), nullable));
  }

  @Override
  public ResultSet getTypeInfo() {
    return MetaDataResult.TYPE_INFO.resultSet(MetaDataRows.types());
  }

  @Override
  public ResultSet getSchemas() throws SQLException {
    return getSchemas(null, null);
  }

  @Override
  public ResultSet getSchemas(@Nullable String catalog, @Nullable String schemaPattern)
      throws SQLException {
    NamePattern pattern = new NamePattern(schemaPattern);
    List<@Nullable Object[]> rows = new ArrayList<>();
    List<String> schemas = new ArrayList<>(connection.catalog().schemas());
    schemas.add(HostTables.SCHEMA);
    Collections.sort(schemas);
    for (String schema : schemas) {
      if ((catalog == null || catalog.isEmpty()) && pattern.matches(schema)) {
        rows.add(new @Nullable Object[] {schema, null});
      }
    }
    return MetaDataResult.SCHEMAS.resultSet(rows);
  }

  @Override
  public ResultSet getTableTypes() {
    return MetaDataResult.TABLE_TYPES.resultSet(
        List.of(
            new @Nullable Object[] {DescribedTable.TEMPORARY_TABLE},
            new @Nullable Object[] {DescribedTable.SYSTEM_VIEW},
            new @Nullable Object[] {DescribedTable.USER_TABLE},
            new @Nullable Object[] {DescribedTable.VIEW}));
  }

  @Override
  public ResultSet getCatalogs() {
    return MetaDataResult.CATALOGS.resultSet(NONE);
  }

  @Override
  public ResultSet getClientInfoProperties() {
    List<@Nullable Object[]> rows = new ArrayList<>();
    for (String name : ClientInfo.NAMES) {
      rows.add(new @Nullable Object[] {name, ClientInfo.LENGTH_MAX, null, null});
    }
    return MetaDataResult.CLIENT_INFO_PROPERTIES.resultSet(rows);
  }

  @Override
  public ResultSet getImportedKeys(@Nullable String catalog, @Nullable String schema, String table)
      throws SQLException {
    ForeignKeyRows.Chosen child = new ForeignKeyRows.Chosen(catalog, schema, table);
    return MetaDataResult.FOREIGN_KEYS.resultSet(
        ForeignKeyRows.imported(connection.catalog(), child));
  }

  @Override
  public ResultSet getExportedKeys(@Nullable String catalog, @Nullable String schema, String table)
      throws SQLException {
    ForeignKeyRows.Chosen parent = new ForeignKeyRows.Chosen(catalog, schema, table);
    return MetaDataResult.FOREIGN_KEYS.resultSet(
        ForeignKeyRows.exported(connection.catalog(), parent, ForeignKeyRows.Chosen.ANY));
  }

  @Override
  public ResultSet getCrossReference(
      @Nullable String parentCatalog,
      @Nullable String parentSchema,
      String parentTable,
      @Nullable String foreignCatalog,
      @Nullable String foreignSchema,
      String foreignTable)
      throws SQLException {
    return MetaDataResult.FOREIGN_KEYS.resultSet(
        ForeignKeyRows.exported(
            connection.catalog(),
            new ForeignKeyRows.Chosen(parentCatalog, parentSchema, parentTable),
            new ForeignKeyRows.Chosen(foreignCatalog, foreignSchema, foreignTable)));
  }

  private RoutineRows routines(
      boolean functions,
      @Nullable String catalog,
      @Nullable String schemaPattern,
      @Nullable String namePattern)
      throws SQLException {
    return new RoutineRows(connection.catalog(), functions, catalog, schemaPattern, namePattern);
  }

  @Override
  public ResultSet getProcedures(
      @Nullable String catalog, @Nullable String schemaPattern, @Nullable String namePattern)
      throws SQLException {
    return MetaDataResult.PROCEDURES.resultSet(
        routines(false, catalog, schemaPattern, namePattern).rows());
  }

  @Override
  public ResultSet getProcedureColumns(
      @Nullable String catalog,
      @Nullable String schemaPattern,
      @Nullable String namePattern,
      @Nullable String columnPattern)
      throws SQLException {
    return MetaDataResult.PROCEDURE_COLUMNS.resultSet(
        routines(false, catalog, schemaPattern, namePattern).columns(columnPattern));
  }

  @Override
  public ResultSet getFunctions(
      @Nullable String catalog, @Nullable String schemaPattern, @Nullable String namePattern)
      throws SQLException {
    return MetaDataResult.FUNCTIONS.resultSet(
        routines(true, catalog, schemaPattern, namePattern).rows());
  }

  @Override
  public ResultSet getFunctionColumns(
      @Nullable String catalog,
      @Nullable String schemaPattern,
      @Nullable String namePattern,
      @Nullable String columnPattern)
      throws SQLException {
    return MetaDataResult.FUNCTION_COLUMNS.resultSet(
        routines(true, catalog, schemaPattern, namePattern).columns(columnPattern));
  }

  @Override
  public ResultSet getColumnPrivileges(
      @Nullable String catalog,
      @Nullable String schema,
      String table,
      @Nullable String columnPattern)
      throws SQLException {
    return MetaDataResult.COLUMN_PRIVILEGES.resultSet(
        PrivilegeRows.ofColumns(connection.catalog(), catalog, schema, table, columnPattern));
  }

  @Override
  public ResultSet getTablePrivileges(
      @Nullable String catalog, @Nullable String schemaPattern, @Nullable String tablePattern)
      throws SQLException {
    return MetaDataResult.TABLE_PRIVILEGES.resultSet(
        PrivilegeRows.ofTables(connection.catalog(), catalog, schemaPattern, tablePattern));
  }

  @Override
  public ResultSet getVersionColumns(
      @Nullable String catalog, @Nullable String schema, String table) {
    return MetaDataResult.ROW_IDENTIFIERS.resultSet(NONE);
  }

  @Override
  public ResultSet getUDTs(
      @Nullable String catalog,
      @Nullable String schemaPattern,
      @Nullable String namePattern,
      int @Nullable [] types)
      throws SQLException {
    return MetaDataResult.UDTS.resultSet(
        TypeRows.of(connection.catalog(), catalog, schemaPattern, namePattern, types));
  }

  @Override
  public ResultSet getSuperTypes(
      @Nullable String catalog, @Nullable String schemaPattern, @Nullable String namePattern) {
    return MetaDataResult.SUPER_TYPES.resultSet(NONE);
  }

  @Override
  public ResultSet getSuperTables(
      @Nullable String catalog, @Nullable String schemaPattern, @Nullable String tablePattern) {
    return MetaDataResult.SUPER_TABLES.resultSet(NONE);
  }

  @Override
  public ResultSet getAttributes(
      @Nullable String catalog,
      @Nullable String schemaPattern,
      @Nullable String namePattern,
      @Nullable String attributePattern) {
    return MetaDataResult.ATTRIBUTES.resultSet(NONE);
  }

  @Override
  public ResultSet getPseudoColumns(
      @Nullable String catalog,
      @Nullable String schemaPattern,
      @Nullable String tablePattern,
      @Nullable String columnPattern) {
    return MetaDataResult.PSEUDO_COLUMNS.resultSet(NONE);
  }

  @Override
  public String getURL() {
    return connection.url();
  }

  @Override
  public boolean usesLocalFiles() throws SQLException {
    return !connection.asJdbc().unwrap(GpdbConnection.class).isInMemory();
  }

  @Override
  public boolean isReadOnly() throws SQLException {
    return connection.asJdbc().isReadOnly();
  }

  @Override
  public Connection getConnection() {
    return connection.asJdbc();
  }

  /** Words that gpDB keeps for itself beyond those of SQL:2003. */
  @Override
  public String getSQLKeywords() {
    return "CHECKPOINT,COPY,EXPLAIN,KERNEL,LIMIT,SHOW,VACUUM";
  }

  @Override
  public String getNumericFunctions() {
    return "ABS,ACOS,ASIN,ATAN,ATAN2,CEILING,COS,COT,DEGREES,EXP,FLOOR,LOG,LOG10,MOD,PI,POWER,"
        + "RADIANS,ROUND,SIGN,SIN,SQRT,TAN,TRUNCATE";
  }

  @Override
  public String getStringFunctions() {
    return "ASCII,CHAR,CHARACTER_LENGTH,CHAR_LENGTH,CONCAT,DIFFERENCE,INSERT,LCASE,LEFT,"
        + "LENGTH,LOCATE,LTRIM,OCTET_LENGTH,POSITION,REPEAT,REPLACE,RIGHT,RTRIM,SOUNDEX,SPACE,"
        + "SUBSTR,SUBSTRING,UCASE";
  }

  @Override
  public String getSystemFunctions() {
    return "DATABASE,IFNULL,USER";
  }

  @Override
  public String getTimeDateFunctions() {
    return "CURDATE,CURRENT_DATE,CURRENT_TIME,CURRENT_TIMESTAMP,CURTIME,DAYNAME,DAYOFMONTH,DAYOFWEEK,"
        + "DAYOFYEAR,EXTRACT,HOUR,MINUTE,MONTH,MONTHNAME,NOW,QUARTER,SECOND,TIMESTAMPADD,"
        + "TIMESTAMPDIFF,WEEK,YEAR";
  }

  @Override
  public boolean supportsConvert() {
    return true;
  }

  @Override
  public boolean supportsConvert(int fromType, int toType) {
    return Conversions.isSupported(fromType, toType);
  }

  /** READ UNCOMMITTED is run as READ COMMITTED, REPEATABLE READ on a snapshot. */
  @Override
  public boolean supportsTransactionIsolationLevel(int level) {
    return level == Connection.TRANSACTION_READ_UNCOMMITTED
        || level == Connection.TRANSACTION_READ_COMMITTED
        || level == Connection.TRANSACTION_REPEATABLE_READ
        || level == Connection.TRANSACTION_SERIALIZABLE;
  }

  @Override
  public boolean supportsResultSetType(int type) {
    return type == ResultSet.TYPE_FORWARD_ONLY || type == ResultSet.TYPE_SCROLL_INSENSITIVE;
  }

  @Override
  public boolean supportsResultSetConcurrency(int type, int concurrency) {
    return supportsResultSetType(type)
        && (concurrency == ResultSet.CONCUR_READ_ONLY || concurrency == ResultSet.CONCUR_UPDATABLE);
  }

  @Override
  public boolean supportsResultSetHoldability(int holdability) {
    return holdability == ResultSet.CLOSE_CURSORS_AT_COMMIT
        || holdability == ResultSet.HOLD_CURSORS_OVER_COMMIT;
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
