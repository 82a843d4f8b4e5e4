package io.gpdb.jdbc;

import io.gpdb.session.BufferedRows;
import io.gpdb.session.OpenResult;
import io.gpdb.session.Outcome;
import io.gpdb.sql.statement.OutputColumn;
import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The result sets of {@link java.sql.DatabaseMetaData}: names, types and order of their columns as
 * JDBC 4.3 lays them down. A column is written NAME, NAME#i (INTEGER), NAME#s (SMALLINT), NAME#l
 * (BIGINT) or NAME#b (BOOLEAN); without a mark it is text.
 */
@SuppressWarnings("ImmutableEnumChecker") // the list is a copy that never changes
enum MetaDataResult {
  TABLES(
      "TABLE_CAT TABLE_SCHEM TABLE_NAME TABLE_TYPE REMARKS TYPE_CAT TYPE_SCHEM TYPE_NAME"
          + " SELF_REFERENCING_COL_NAME REF_GENERATION"),
  COLUMNS(
      "TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME DATA_TYPE#i TYPE_NAME COLUMN_SIZE#i"
          + " BUFFER_LENGTH#i DECIMAL_DIGITS#i NUM_PREC_RADIX#i NULLABLE#i REMARKS COLUMN_DEF"
          + " SQL_DATA_TYPE#i SQL_DATETIME_SUB#i CHAR_OCTET_LENGTH#i ORDINAL_POSITION#i"
          + " IS_NULLABLE SCOPE_CATALOG SCOPE_SCHEMA SCOPE_TABLE SOURCE_DATA_TYPE#s"
          + " IS_AUTOINCREMENT IS_GENERATEDCOLUMN"),
  PRIMARY_KEYS("TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME KEY_SEQ#s PK_NAME"),
  INDEX_INFO(
      "TABLE_CAT TABLE_SCHEM TABLE_NAME NON_UNIQUE#b INDEX_QUALIFIER INDEX_NAME TYPE#s"
          + " ORDINAL_POSITION#s COLUMN_NAME ASC_OR_DESC CARDINALITY#l PAGES#l"
          + " FILTER_CONDITION"),
  /** Imported keys, exported keys and the cross reference. */
  FOREIGN_KEYS(
      "PKTABLE_CAT PKTABLE_SCHEM PKTABLE_NAME PKCOLUMN_NAME FKTABLE_CAT FKTABLE_SCHEM"
          + " FKTABLE_NAME FKCOLUMN_NAME KEY_SEQ#s UPDATE_RULE#s DELETE_RULE#s FK_NAME PK_NAME"
          + " DEFERRABILITY#s"),
  TYPE_INFO(
      "TYPE_NAME DATA_TYPE#i PRECISION#i LITERAL_PREFIX LITERAL_SUFFIX CREATE_PARAMS NULLABLE#s"
          + " CASE_SENSITIVE#b SEARCHABLE#s UNSIGNED_ATTRIBUTE#b FIXED_PREC_SCALE#b"
          + " AUTO_INCREMENT#b LOCAL_TYPE_NAME MINIMUM_SCALE#s MAXIMUM_SCALE#s SQL_DATA_TYPE#i"
          + " SQL_DATETIME_SUB#i NUM_PREC_RADIX#i"),
  SCHEMAS("TABLE_SCHEM TABLE_CATALOG"),
  CATALOGS("TABLE_CAT"),
  TABLE_TYPES("TABLE_TYPE"),
  PROCEDURES(
      "PROCEDURE_CAT PROCEDURE_SCHEM PROCEDURE_NAME RESERVED1 RESERVED2 RESERVED3 REMARKS"
          + " PROCEDURE_TYPE#s SPECIFIC_NAME"),
  PROCEDURE_COLUMNS(
      "PROCEDURE_CAT PROCEDURE_SCHEM PROCEDURE_NAME COLUMN_NAME COLUMN_TYPE#s DATA_TYPE#i"
          + " TYPE_NAME PRECISION#i LENGTH#i SCALE#s RADIX#s NULLABLE#s REMARKS COLUMN_DEF"
          + " SQL_DATA_TYPE#i SQL_DATETIME_SUB#i CHAR_OCTET_LENGTH#i ORDINAL_POSITION#i"
          + " IS_NULLABLE SPECIFIC_NAME"),
  FUNCTIONS("FUNCTION_CAT FUNCTION_SCHEM FUNCTION_NAME REMARKS FUNCTION_TYPE#s SPECIFIC_NAME"),
  FUNCTION_COLUMNS(
      "FUNCTION_CAT FUNCTION_SCHEM FUNCTION_NAME COLUMN_NAME COLUMN_TYPE#s DATA_TYPE#i TYPE_NAME"
          + " PRECISION#i LENGTH#i SCALE#s RADIX#s NULLABLE#s REMARKS CHAR_OCTET_LENGTH#i"
          + " ORDINAL_POSITION#i IS_NULLABLE SPECIFIC_NAME"),
  COLUMN_PRIVILEGES(
      "TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME GRANTOR GRANTEE PRIVILEGE IS_GRANTABLE"),
  TABLE_PRIVILEGES("TABLE_CAT TABLE_SCHEM TABLE_NAME GRANTOR GRANTEE PRIVILEGE IS_GRANTABLE"),
  /** The best row identifier and the version columns. */
  ROW_IDENTIFIERS(
      "SCOPE#s COLUMN_NAME DATA_TYPE#i TYPE_NAME COLUMN_SIZE#i BUFFER_LENGTH#i DECIMAL_DIGITS#s"
          + " PSEUDO_COLUMN#s"),
  UDTS("TYPE_CAT TYPE_SCHEM TYPE_NAME CLASS_NAME DATA_TYPE#i REMARKS BASE_TYPE#s"),
  SUPER_TYPES("TYPE_CAT TYPE_SCHEM TYPE_NAME SUPERTYPE_CAT SUPERTYPE_SCHEM SUPERTYPE_NAME"),
  SUPER_TABLES("TABLE_CAT TABLE_SCHEM TABLE_NAME SUPERTABLE_NAME"),
  ATTRIBUTES(
      "TYPE_CAT TYPE_SCHEM TYPE_NAME ATTR_NAME DATA_TYPE#i ATTR_TYPE_NAME ATTR_SIZE#i"
          + " DECIMAL_DIGITS#i NUM_PREC_RADIX#i NULLABLE#i REMARKS ATTR_DEF SQL_DATA_TYPE#i"
          + " SQL_DATETIME_SUB#i CHAR_OCTET_LENGTH#i ORDINAL_POSITION#i IS_NULLABLE"
          + " SCOPE_CATALOG SCOPE_SCHEMA SCOPE_TABLE SOURCE_DATA_TYPE#s"),
  CLIENT_INFO_PROPERTIES("NAME MAX_LEN#i DEFAULT_VALUE DESCRIPTION"),
  PSEUDO_COLUMNS(
      "TABLE_CAT TABLE_SCHEM TABLE_NAME COLUMN_NAME DATA_TYPE#i COLUMN_SIZE#i DECIMAL_DIGITS#i"
          + " NUM_PREC_RADIX#i COLUMN_USAGE REMARKS CHAR_OCTET_LENGTH#i IS_NULLABLE"),
  GENERATED_KEYS("GENERATED_KEY#l");

  private final List<OutputColumn> columns;

  MetaDataResult(String specification) {
    List<OutputColumn> all = new ArrayList<>();
    for (String column : specification.split(" ", -1)) {
      int mark = column.indexOf('#');
      String name = mark < 0 ? column : column.substring(0, mark);
      all.add(new OutputColumn(name, type(mark < 0 ? 't' : column.charAt(mark + 1)), true));
    }
    columns = List.copyOf(all);
  }

  private static SqlTypeSpec type(char mark) {
    return switch (mark) {
      case 'i' -> SqlTypeSpec.INTEGER;
      case 's' -> SqlTypeSpec.SMALLINT;
      case 'l' -> SqlTypeSpec.BIGINT;
      case 'b' -> SqlTypeSpec.BOOLEAN;
      default -> SqlTypeSpec.VARCHAR;
    };
  }

  /** A result set of these rows, which belongs to no statement. */
  GpdbResultSet resultSet(List<@Nullable Object[]> rows) {
    SqlTypeSpec[] types = Outcome.types(columns);
    BufferedRows buffered = new BufferedRows(types);
    for (@Nullable Object[] row : rows) {
      buffered.append(row);
    }
    return new GpdbResultSet(
        null, columns, types, buffered, 0, CursorKind.FORWARD, OpenResult.Owner.NONE);
  }
}
