package io.gpdb.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MetaDataTest {
  private TestDatabase database;
  private DatabaseMetaData metaData;

  @BeforeEach
  void open() throws SQLException {
    database =
        new TestDatabase(
            "CREATE TABLE item (shop INTEGER, id BIGINT, name VARCHAR(20) NOT NULL,"
                + " price DECIMAL(8, 2) DEFAULT 1.5, at TIMESTAMP, note VARCHAR,"
                + " CONSTRAINT item_pk PRIMARY KEY (shop, id), CONSTRAINT item_name UNIQUE (name))",
            "CREATE TABLE \"odd_name%\" (\"lower\" INTEGER)",
            "CREATE TABLE oddXname1 (a INTEGER)");
    metaData = database.connection().getMetaData();
  }

  @AfterEach
  void close() throws SQLException {
    database.close();
  }

  /** The columns that JDBC 4.3 lays down, in their order, by method. */
  private static final Map<String, String> CONTRACT = new HashMap<>();

  static {
    CONTRACT.put("getCatalogs", "TABLE_CAT");
    CONTRACT.put("getSchemas", "TABLE_SCHEM,TABLE_CATALOG");
    CONTRACT.put("getTableTypes", "TABLE_TYPE");
    CONTRACT.put(
        "getTables",
        "TABLE_CAT,TABLE_SCHEM,TABLE_NAME,TABLE_TYPE,REMARKS,TYPE_CAT,TYPE_SCHEM,TYPE_NAME,"
            + "SELF_REFERENCING_COL_NAME,REF_GENERATION");
    CONTRACT.put(
        "getColumns",
        "TABLE_CAT,TABLE_SCHEM,TABLE_NAME,COLUMN_NAME,DATA_TYPE,TYPE_NAME,COLUMN_SIZE,"
            + "BUFFER_LENGTH,DECIMAL_DIGITS,NUM_PREC_RADIX,NULLABLE,REMARKS,COLUMN_DEF,"
            + "SQL_DATA_TYPE,SQL_DATETIME_SUB,CHAR_OCTET_LENGTH,ORDINAL_POSITION,IS_NULLABLE,"
            + "SCOPE_CATALOG,SCOPE_SCHEMA,SCOPE_TABLE,SOURCE_DATA_TYPE,IS_AUTOINCREMENT,"
            + "IS_GENERATEDCOLUMN");
    CONTRACT.put("getPrimaryKeys", "TABLE_CAT,TABLE_SCHEM,TABLE_NAME,COLUMN_NAME,KEY_SEQ,PK_NAME");
    CONTRACT.put(
        "getIndexInfo",
        "TABLE_CAT,TABLE_SCHEM,TABLE_NAME,NON_UNIQUE,INDEX_QUALIFIER,INDEX_NAME,TYPE,"
            + "ORDINAL_POSITION,COLUMN_NAME,ASC_OR_DESC,CARDINALITY,PAGES,FILTER_CONDITION");
    String foreign =
        "PKTABLE_CAT,PKTABLE_SCHEM,PKTABLE_NAME,PKCOLUMN_NAME,FKTABLE_CAT,FKTABLE_SCHEM,"
            + "FKTABLE_NAME,FKCOLUMN_NAME,KEY_SEQ,UPDATE_RULE,DELETE_RULE,FK_NAME,PK_NAME,"
            + "DEFERRABILITY";
    CONTRACT.put("getImportedKeys", foreign);
    CONTRACT.put("getExportedKeys", foreign);
    CONTRACT.put("getCrossReference", foreign);
    CONTRACT.put(
        "getTypeInfo",
        "TYPE_NAME,DATA_TYPE,PRECISION,LITERAL_PREFIX,LITERAL_SUFFIX,CREATE_PARAMS,NULLABLE,"
            + "CASE_SENSITIVE,SEARCHABLE,UNSIGNED_ATTRIBUTE,FIXED_PREC_SCALE,AUTO_INCREMENT,"
            + "LOCAL_TYPE_NAME,MINIMUM_SCALE,MAXIMUM_SCALE,SQL_DATA_TYPE,SQL_DATETIME_SUB,"
            + "NUM_PREC_RADIX");
    CONTRACT.put(
        "getProcedures",
        "PROCEDURE_CAT,PROCEDURE_SCHEM,PROCEDURE_NAME,RESERVED1,RESERVED2,RESERVED3,REMARKS,"
            + "PROCEDURE_TYPE,SPECIFIC_NAME");
    CONTRACT.put(
        "getProcedureColumns",
        "PROCEDURE_CAT,PROCEDURE_SCHEM,PROCEDURE_NAME,COLUMN_NAME,COLUMN_TYPE,DATA_TYPE,TYPE_NAME,"
            + "PRECISION,LENGTH,SCALE,RADIX,NULLABLE,REMARKS,COLUMN_DEF,SQL_DATA_TYPE,"
            + "SQL_DATETIME_SUB,CHAR_OCTET_LENGTH,ORDINAL_POSITION,IS_NULLABLE,SPECIFIC_NAME");
    CONTRACT.put(
        "getFunctions",
        "FUNCTION_CAT,FUNCTION_SCHEM,FUNCTION_NAME,REMARKS,FUNCTION_TYPE,SPECIFIC_NAME");
    CONTRACT.put(
        "getFunctionColumns",
        "FUNCTION_CAT,FUNCTION_SCHEM,FUNCTION_NAME,COLUMN_NAME,COLUMN_TYPE,DATA_TYPE,TYPE_NAME,"
            + "PRECISION,LENGTH,SCALE,RADIX,NULLABLE,REMARKS,CHAR_OCTET_LENGTH,ORDINAL_POSITION,"
            + "IS_NULLABLE,SPECIFIC_NAME");
    CONTRACT.put(
        "getColumnPrivileges",
        "TABLE_CAT,TABLE_SCHEM,TABLE_NAME,COLUMN_NAME,GRANTOR,GRANTEE,PRIVILEGE,IS_GRANTABLE");
    CONTRACT.put(
        "getTablePrivileges",
        "TABLE_CAT,TABLE_SCHEM,TABLE_NAME,GRANTOR,GRANTEE,PRIVILEGE,IS_GRANTABLE");
    String rowIdentifier =
        "SCOPE,COLUMN_NAME,DATA_TYPE,TYPE_NAME,COLUMN_SIZE,BUFFER_LENGTH,DECIMAL_DIGITS,"
            + "PSEUDO_COLUMN";
    CONTRACT.put("getBestRowIdentifier", rowIdentifier);
    CONTRACT.put("getVersionColumns", rowIdentifier);
    CONTRACT.put("getUDTs", "TYPE_CAT,TYPE_SCHEM,TYPE_NAME,CLASS_NAME,DATA_TYPE,REMARKS,BASE_TYPE");
    CONTRACT.put(
        "getSuperTypes",
        "TYPE_CAT,TYPE_SCHEM,TYPE_NAME,SUPERTYPE_CAT,SUPERTYPE_SCHEM,SUPERTYPE_NAME");
    CONTRACT.put("getSuperTables", "TABLE_CAT,TABLE_SCHEM,TABLE_NAME,SUPERTABLE_NAME");
    CONTRACT.put(
        "getAttributes",
        "TYPE_CAT,TYPE_SCHEM,TYPE_NAME,ATTR_NAME,DATA_TYPE,ATTR_TYPE_NAME,ATTR_SIZE,"
            + "DECIMAL_DIGITS,NUM_PREC_RADIX,NULLABLE,REMARKS,ATTR_DEF,SQL_DATA_TYPE,"
            + "SQL_DATETIME_SUB,CHAR_OCTET_LENGTH,ORDINAL_POSITION,IS_NULLABLE,SCOPE_CATALOG,"
            + "SCOPE_SCHEMA,SCOPE_TABLE,SOURCE_DATA_TYPE");
    CONTRACT.put("getClientInfoProperties", "NAME,MAX_LEN,DEFAULT_VALUE,DESCRIPTION");
    CONTRACT.put(
        "getPseudoColumns",
        "TABLE_CAT,TABLE_SCHEM,TABLE_NAME,COLUMN_NAME,DATA_TYPE,COLUMN_SIZE,DECIMAL_DIGITS,"
            + "NUM_PREC_RADIX,COLUMN_USAGE,REMARKS,CHAR_OCTET_LENGTH,IS_NULLABLE");
  }

  @Test
  void everyMethodAnswersAndEveryResultHasTheColumnsOfJdbc() throws Exception {
    int resultSets = 0;
    for (Method method : DatabaseMetaData.class.getMethods()) {
      boolean wrapper =
          method.getName().equals("unwrap") || method.getName().equals("isWrapperFor");
      if (!wrapper && !Modifier.isStatic(method.getModifiers())) {
        Object answer = method.invoke(metaData, anyArguments(method));
        if (answer instanceof ResultSet rows) {
          resultSets++;
          assertThat(String.join(",", labels(rows)))
              .as(method.getName())
              .isEqualTo(CONTRACT.get(method.getName()));
          rows.close();
        }
      }
    }
    assertThat(resultSets).isEqualTo(CONTRACT.size() + 1);
  }

  private static Object[] anyArguments(Method method) {
    Object[] arguments = new Object[method.getParameterCount()];
    for (int i = 0; i < arguments.length; i++) {
      Class<?> type = method.getParameterTypes()[i];
      arguments[i] = type == int.class ? 0 : type == boolean.class ? false : null;
    }
    return arguments;
  }

  private static List<String> labels(ResultSet rows) throws SQLException {
    ResultSetMetaData columns = rows.getMetaData();
    List<String> labels = new ArrayList<>();
    for (int i = 1; i <= columns.getColumnCount(); i++) {
      labels.add(columns.getColumnLabel(i));
    }
    return labels;
  }

  private static List<String> values(ResultSet rows, String... labels) throws SQLException {
    List<String> all = new ArrayList<>();
    while (rows.next()) {
      List<String> row = new ArrayList<>();
      for (String label : labels) {
        row.add(rows.getString(label));
      }
      all.add(String.join("|", row.stream().map(String::valueOf).toList()));
    }
    rows.close();
    return all;
  }

  @Test
  void tablesAreFoundByPatternAndType() throws SQLException {
    String[] types = {"TABLE"};
    assertThat(values(metaData.getTables(null, null, "%", types), "TABLE_SCHEM", "TABLE_NAME"))
        .containsExactly("PUBLIC|ITEM", "PUBLIC|ODDXNAME1", "PUBLIC|odd_name%");
    assertThat(values(metaData.getTables(null, "PUBLIC", "odd\\_name\\%", null), "TABLE_NAME"))
        .containsExactly("odd_name%");
    assertThat(values(metaData.getTables("", "PUB%", "ITE_", null), "TABLE_TYPE"))
        .containsExactly("TABLE");
    assertThat(values(metaData.getTables("other", null, "%", null), "TABLE_NAME")).isEmpty();
    assertThat(values(metaData.getTables(null, "INFORMATION_SCHEMA", "TABLES", null), "TABLE_TYPE"))
        .containsExactly("SYSTEM VIEW");
    assertThat(values(metaData.getTableTypes(), "TABLE_TYPE"))
        .containsExactly("LOCAL TEMPORARY", "SYSTEM VIEW", "TABLE", "VIEW");
    assertThat(values(metaData.getSchemas(), "TABLE_SCHEM"))
        .containsExactly("INFORMATION_SCHEMA", "PUBLIC");
    assertThat(values(metaData.getCatalogs(), "TABLE_CAT")).isEmpty();
  }

  @Test
  void viewsAreTablesOfAnotherType() throws SQLException {
    try (Statement statement = database.connection().createStatement()) {
      statement.execute("CREATE VIEW dear (n, twice) AS SELECT id, id * 2 FROM item");
      assertThat(values(metaData.getTables(null, null, "DE%", null), "TABLE_NAME", "TABLE_TYPE"))
          .containsExactly("DEAR|VIEW");
      assertThat(values(metaData.getTables(null, null, "%", new String[] {"VIEW"}), "TABLE_NAME"))
          .containsExactly("DEAR");
      assertThat(values(metaData.getColumns(null, null, "DEAR", "%"), "COLUMN_NAME"))
          .containsExactly("N", "TWICE");
      assertThat(values(metaData.getPrimaryKeys(null, null, "DEAR"), "COLUMN_NAME")).isEmpty();
      statement.execute("DROP VIEW dear");
    }
  }

  @Test
  void columnsAreDescribedWithTypeSizeAndDefault() throws SQLException {
    ResultSet rows = metaData.getColumns(null, "PUBLIC", "ITEM", "%");
    assertThat(
            values(
                rows,
                "ORDINAL_POSITION",
                "COLUMN_NAME",
                "DATA_TYPE",
                "TYPE_NAME",
                "COLUMN_SIZE",
                "DECIMAL_DIGITS",
                "IS_NULLABLE"))
        .containsExactly(
            "1|SHOP|" + Types.INTEGER + "|INTEGER|10|0|NO",
            "2|ID|" + Types.BIGINT + "|BIGINT|19|0|NO",
            "3|NAME|" + Types.VARCHAR + "|VARCHAR|20|null|NO",
            "4|PRICE|" + Types.DECIMAL + "|DECIMAL|8|2|YES",
            "5|AT|" + Types.TIMESTAMP + "|TIMESTAMP|26|6|YES",
            "6|NOTE|" + Types.VARCHAR + "|VARCHAR|" + Integer.MAX_VALUE + "|null|YES");
    ResultSet price = metaData.getColumns(null, null, "ITEM", "PRICE");
    price.next();
    assertThat(price.getString("COLUMN_DEF")).contains("1.5");
    assertThat(price.getInt("NULLABLE")).isEqualTo(DatabaseMetaData.columnNullable);
    price.close();
  }

  @Test
  void keysAndIndexesAreNamed() throws SQLException {
    assertThat(
            values(
                metaData.getPrimaryKeys(null, null, "ITEM"), "COLUMN_NAME", "KEY_SEQ", "PK_NAME"))
        .containsExactly("ID|2|ITEM_PK", "SHOP|1|ITEM_PK");
    assertThat(
            values(
                metaData.getIndexInfo(null, "PUBLIC", "ITEM", true, true),
                "INDEX_NAME",
                "ORDINAL_POSITION",
                "COLUMN_NAME",
                "NON_UNIQUE"))
        .containsExactly("ITEM_NAME|1|NAME|FALSE", "ITEM_PK|1|SHOP|FALSE", "ITEM_PK|2|ID|FALSE");
    assertThat(
            values(
                metaData.getBestRowIdentifier(
                    null, null, "ITEM", DatabaseMetaData.bestRowSession, false),
                "COLUMN_NAME"))
        .containsExactly("SHOP", "ID");
  }

  @Test
  void typesComeInTheOrderOfTheirCodes() throws SQLException {
    ResultSet rows = metaData.getTypeInfo();
    List<Integer> codes = new ArrayList<>();
    while (rows.next()) {
      codes.add(rows.getInt("DATA_TYPE"));
      assertThat(rows.getShort("NULLABLE")).isEqualTo((short) DatabaseMetaData.typeNullable);
    }
    assertThat(codes).isSorted().hasSize(31);
  }

  @Test
  void theProductTellsItsVersion() throws SQLException {
    assertThat(metaData.getDatabaseProductName()).isEqualTo("gpDB");
    assertThat(metaData.getDriverVersion()).matches("\\d+\\.\\d+.*");
    assertThat(metaData.getURL()).isEqualTo(database.url());
    assertThat(metaData.getConnection()).isSameAs(database.connection());
  }

  @Test
  void whatIsSaidToBeSupportedRuns() throws SQLException {
    assertThat(metaData.supportsAlterTableWithAddColumn()).isTrue();
    assertThat(metaData.supportsAlterTableWithDropColumn()).isTrue();
    assertThat(metaData.supportsSchemasInIndexDefinitions()).isTrue();
    assertThat(metaData.supportsSchemasInTableDefinitions()).isTrue();
    assertThat(metaData.supportsMultipleOpenResults()).isTrue();
    database.execute("CREATE SCHEMA said");
    database.execute("CREATE TABLE said.t (id INTEGER PRIMARY KEY, v INTEGER)");
    database.execute("ALTER TABLE said.t ADD COLUMN w INTEGER");
    database.execute("ALTER TABLE said.t DROP COLUMN w");
    database.execute("CREATE INDEX by_v ON said.t (v)");
    database.execute("DROP INDEX said.by_v");
    try (Statement statement = database.connection().createStatement()) {
      assertThat(statement.execute("VALUES 1; VALUES 2")).isTrue();
      ResultSet first = statement.getResultSet();
      assertThat(statement.getMoreResults(Statement.KEEP_CURRENT_RESULT)).isTrue();
      assertThat(first.next()).isTrue();
      assertThat(first.getInt(1)).isOne();
      assertThat(statement.getMoreResults(Statement.CLOSE_ALL_RESULTS)).isFalse();
      assertThat(first.isClosed()).isTrue();
    }
  }

  @Test
  void everyFunctionThatIsNamedCanBeCalledAsAnEscape() throws SQLException {
    String names =
        String.join(
            ",",
            metaData.getNumericFunctions(),
            metaData.getStringFunctions(),
            metaData.getTimeDateFunctions(),
            metaData.getSystemFunctions());
    Set<String> left = new TreeSet<>(List.of(names.split(",")));
    String calls =
        "abs(-1);"
            + "acos(1);"
            + "asin(1);"
            + "atan(1);"
            + "atan2(1,1);"
            + "ceiling(1.5);"
            + "cos(0);"
            + "cot(1);"
            + "degrees(1);"
            + "exp(0);"
            + "floor(1.5);"
            + "log(1);"
            + "log10(10);"
            + "mod(5,3);"
            + "pi();"
            + "power(2,3);"
            + "radians(1);"
            + "round(1.55,1);"
            + "sign(-2);"
            + "sin(0);"
            + "sqrt(4);"
            + "tan(0);"
            + "truncate(1.55,1);"
            + "ascii('a');"
            + "char(65);"
            + "concat('a','b');"
            + "lcase('A');"
            + "left('abc',1);"
            + "length('abc');"
            + "locate('b','abc');"
            + "ltrim(' a');"
            + "repeat('a',2);"
            + "replace('abc','b','x');"
            + "right('abc',1);"
            + "rtrim('a ');"
            + "substring('abc',1,2);"
            + "ucase('a');"
            + "character_length('a');"
            + "char_length('a');"
            + "difference('a','b');"
            + "insert('abc',1,1,'x');"
            + "octet_length('a');"
            + "position('b' IN 'abc');"
            + "soundex('a');"
            + "space(2);"
            + "substr('abc',2);"
            + "current_date();"
            + "current_time();"
            + "current_timestamp();"
            + "extract(YEAR FROM DATE '2001-01-01');"
            + "curdate();"
            + "curtime();"
            + "dayname(date '2020-01-01');"
            + "dayofmonth(date '2020-01-01');"
            + "dayofweek(date '2020-01-01');"
            + "dayofyear(date '2020-01-01');"
            + "hour(time '10:00:00');"
            + "minute(time '10:00:00');"
            + "month(date '2020-01-01');"
            + "monthname(date '2020-01-01');"
            + "now();"
            + "quarter(date '2020-01-01');"
            + "second(time '10:00:00');"
            + "timestampadd(SQL_TSI_DAY,1,date '2020-01-01');"
            + "timestampdiff(SQL_TSI_DAY,date '2020-01-01',date '2020-01-03');"
            + "week(date '2020-01-01');"
            + "year(date '2020-01-01');"
            + "database();"
            + "ifnull(null,1);"
            + "user()";
    try (Statement statement = metaData.getConnection().createStatement()) {
      for (String call : calls.split(";")) {
        try (ResultSet row = statement.executeQuery("SELECT {fn " + call + "}")) {
          assertThat(row.next()).as(call).isTrue();
          assertThat(left.remove(call.substring(0, call.indexOf('(')).toUpperCase(Locale.ROOT)))
              .as(call)
              .isTrue();
        }
      }
      try (ResultSet row = statement.executeQuery("SELECT {fn dayname(DATE '2020-01-01')}")) {
        row.next();
        assertThat(row.getString(1)).isEqualTo("Wednesday");
      }
    }
    assertThat(left).isEmpty();
  }

  @Test
  void outerJoinsAndEscapesMayStandInBraces() throws SQLException {
    try (TestDatabase database =
        new TestDatabase(
            "CREATE TABLE a (x INTEGER, s VARCHAR)",
            "CREATE TABLE b (x INTEGER)",
            "INSERT INTO a VALUES (1, '5%'), (2, '50')",
            "INSERT INTO b VALUES (2)")) {
      assertThat(
              database.rows(
                  "SELECT a.x, b.x FROM {oj a LEFT OUTER JOIN b ON a.x = b.x} ORDER BY {fn"
                      + " abs(a.x)}"))
          .containsExactly("1|null", "2|2");
      assertThat(database.rows("SELECT x FROM a WHERE s LIKE '5!%' {escape '!'}"))
          .containsExactly("1");
      try (PreparedStatement like =
          database.connection().prepareStatement("SELECT x FROM a WHERE s LIKE ? {escape '\\'}")) {
        like.setString(1, "5\\%");
        assertThat(TestDatabase.rows(like.executeQuery())).containsExactly("1");
      }
      assertThatThrownBy(() -> database.rows("SELECT * FROM {oj a LEFT JOIN"))
          .isInstanceOf(SQLException.class);
    }
  }
}
