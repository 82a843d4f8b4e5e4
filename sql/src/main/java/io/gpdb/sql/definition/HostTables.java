package io.gpdb.sql.definition;

import static io.gpdb.sql.definition.HostColumns.big;
import static io.gpdb.sql.definition.HostColumns.maybe;
import static io.gpdb.sql.definition.HostColumns.number;
import static io.gpdb.sql.definition.HostColumns.optional;
import static io.gpdb.sql.definition.HostColumns.table;
import static io.gpdb.sql.definition.HostColumns.text;
import static io.gpdb.sql.type.SqlTypeSpec.BIGINT;
import static io.gpdb.sql.type.SqlTypeSpec.INTEGER;
import static io.gpdb.sql.type.SqlTypeSpec.VARCHAR;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The tables of INFORMATION_SCHEMA: their names and columns. */
public final class HostTables {
  /** Name of the schema of the catalog's views. */
  public static final String SCHEMA = SchemaNames.INFORMATION_SCHEMA;

  private static final HostTable SCHEMATA =
      table(
          "SCHEMATA",
          text("CATALOG_NAME"),
          text("SCHEMA_NAME"),
          text("SCHEMA_OWNER"),
          maybe("DEFAULT_CHARACTER_SET_CATALOG"),
          maybe("DEFAULT_CHARACTER_SET_SCHEMA"),
          text("DEFAULT_CHARACTER_SET_NAME"),
          maybe("SQL_PATH"),
          maybe("REMARKS"));

  private static final HostTable TABLES =
      table(
          "TABLES",
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("TABLE_TYPE"),
          maybe("SELF_REFERENCING_COLUMN_NAME"),
          maybe("REFERENCE_GENERATION"),
          maybe("USER_DEFINED_TYPE_CATALOG"),
          maybe("USER_DEFINED_TYPE_SCHEMA"),
          maybe("USER_DEFINED_TYPE_NAME"),
          text("IS_INSERTABLE_INTO"),
          text("IS_TYPED"),
          maybe("COMMIT_ACTION"),
          maybe("REMARKS"));

  private static final HostTable VIEWS =
      table(
          "VIEWS",
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("VIEW_DEFINITION"),
          text("CHECK_OPTION"),
          text("IS_UPDATABLE"),
          text("INSERTABLE_INTO"),
          text("IS_TRIGGER_UPDATABLE"),
          text("IS_TRIGGER_DELETABLE"),
          text("IS_TRIGGER_INSERTABLE_INTO"),
          maybe("REMARKS"));

  private static final HostTable COLUMNS =
      table(
          "COLUMNS",
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("COLUMN_NAME"),
          number("ORDINAL_POSITION"),
          maybe("COLUMN_DEFAULT"),
          text("IS_NULLABLE"),
          text("DATA_TYPE"),
          optional("CHARACTER_MAXIMUM_LENGTH", BIGINT),
          optional("CHARACTER_OCTET_LENGTH", BIGINT),
          optional("NUMERIC_PRECISION", INTEGER),
          optional("NUMERIC_PRECISION_RADIX", INTEGER),
          optional("NUMERIC_SCALE", INTEGER),
          optional("DATETIME_PRECISION", INTEGER),
          maybe("INTERVAL_TYPE"),
          optional("INTERVAL_PRECISION", INTEGER),
          maybe("CHARACTER_SET_CATALOG"),
          maybe("CHARACTER_SET_SCHEMA"),
          maybe("CHARACTER_SET_NAME"),
          maybe("COLLATION_CATALOG"),
          maybe("COLLATION_SCHEMA"),
          maybe("COLLATION_NAME"),
          maybe("DOMAIN_CATALOG"),
          maybe("DOMAIN_SCHEMA"),
          maybe("DOMAIN_NAME"),
          maybe("UDT_CATALOG"),
          maybe("UDT_SCHEMA"),
          maybe("UDT_NAME"),
          maybe("SCOPE_CATALOG"),
          maybe("SCOPE_SCHEMA"),
          maybe("SCOPE_NAME"),
          optional("MAXIMUM_CARDINALITY", INTEGER),
          text("DTD_IDENTIFIER"),
          text("IS_SELF_REFERENCING"),
          text("IS_IDENTITY"),
          maybe("IDENTITY_GENERATION"),
          optional("IDENTITY_START", BIGINT),
          optional("IDENTITY_INCREMENT", BIGINT),
          optional("IDENTITY_MAXIMUM", BIGINT),
          optional("IDENTITY_MINIMUM", BIGINT),
          maybe("IDENTITY_CYCLE"),
          optional("IDENTITY_CACHE", BIGINT),
          text("IS_GENERATED"),
          maybe("GENERATION_EXPRESSION"),
          text("IS_UPDATABLE"),
          maybe("REMARKS"));

  private static final HostTable TABLE_CONSTRAINTS =
      table(
          "TABLE_CONSTRAINTS",
          text("CONSTRAINT_CATALOG"),
          text("CONSTRAINT_SCHEMA"),
          text("CONSTRAINT_NAME"),
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("CONSTRAINT_TYPE"),
          text("IS_DEFERRABLE"),
          text("INITIALLY_DEFERRED"),
          text("ENFORCED"));

  private static final HostTable KEY_COLUMN_USAGE =
      table(
          "KEY_COLUMN_USAGE",
          text("CONSTRAINT_CATALOG"),
          text("CONSTRAINT_SCHEMA"),
          text("CONSTRAINT_NAME"),
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("COLUMN_NAME"),
          number("ORDINAL_POSITION"),
          optional("POSITION_IN_UNIQUE_CONSTRAINT", SqlTypeSpec.INTEGER));

  private static final HostTable REFERENTIAL_CONSTRAINTS =
      table(
          "REFERENTIAL_CONSTRAINTS",
          text("CONSTRAINT_CATALOG"),
          text("CONSTRAINT_SCHEMA"),
          text("CONSTRAINT_NAME"),
          optional("UNIQUE_CONSTRAINT_CATALOG", SqlTypeSpec.VARCHAR),
          optional("UNIQUE_CONSTRAINT_SCHEMA", SqlTypeSpec.VARCHAR),
          optional("UNIQUE_CONSTRAINT_NAME", SqlTypeSpec.VARCHAR),
          text("MATCH_OPTION"),
          text("UPDATE_RULE"),
          text("DELETE_RULE"),
          text("TABLE_NAME"));

  private static final HostTable CHECK_CONSTRAINTS =
      table(
          "CHECK_CONSTRAINTS",
          text("CONSTRAINT_CATALOG"),
          text("CONSTRAINT_SCHEMA"),
          text("CONSTRAINT_NAME"),
          text("CHECK_CLAUSE"),
          maybe("TABLE_NAME"));

  private static final HostTable INDEXES =
      new HostTable(
          HostTables.SCHEMA,
          "INDEXES",
          List.of(
              text("TABLE_SCHEMA"),
              text("TABLE_NAME"),
              text("INDEX_NAME"),
              text("INDEX_TYPE"),
              text("IS_UNIQUE"),
              new ColumnDef("CONSTRAINT_NAME", SqlTypeSpec.VARCHAR, true, null)));

  private static final HostTable INDEX_COLUMNS =
      new HostTable(
          HostTables.SCHEMA,
          "INDEX_COLUMNS",
          List.of(
              text("TABLE_SCHEMA"),
              text("TABLE_NAME"),
              text("INDEX_NAME"),
              text("COLUMN_NAME"),
              new ColumnDef("ORDINAL_POSITION", SqlTypeSpec.INTEGER, false, null),
              text("ORDERING_SPECIFICATION")));

  private static final HostTable COLUMN_STATISTICS =
      table(
          "COLUMN_STATISTICS",
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"),
          text("COLUMN_NAME"),
          big("TABLE_ROWS"),
          big("NULL_VALUES"),
          big("DISTINCT_VALUES"));

  private static final HostTable SEQUENCES =
      table(
          "SEQUENCES",
          optional("SEQUENCE_CATALOG", VARCHAR),
          text("SEQUENCE_SCHEMA"),
          text("SEQUENCE_NAME"),
          text("DATA_TYPE"),
          optional("NUMERIC_PRECISION", INTEGER),
          number("NUMERIC_PRECISION_RADIX"),
          number("NUMERIC_SCALE"),
          big("START_VALUE"),
          big("MINIMUM_VALUE"),
          big("MAXIMUM_VALUE"),
          big("INCREMENT"),
          text("CYCLE_OPTION"),
          big("CACHE"));

  /** The one catalog that there is. */
  private static final HostTable CATALOG_NAME =
      table("INFORMATION_SCHEMA_CATALOG_NAME", text("CATALOG_NAME"));

  private static final HostTable SETTINGS =
      table("GPDB_SETTINGS", text("NAME"), text("SETTING"), text("DESCRIPTION"));

  private static final HostTable STATISTICS =
      table(
          "GPDB_STATISTICS",
          text("STATISTIC_NAME"),
          new ColumnDef("STATISTIC_VALUE", BIGINT, false, null));

  /** Those of what gpDB has none of, which have no rows. */
  public static final List<HostTable> EMPTY =
      Stream.of(StandardTables.EMPTY, UsageTables.EMPTY, GrantTables.EMPTY)
          .flatMap(List::stream)
          .toList();

  /** All host tables. */
  public static final List<HostTable> ALL = all();

  private HostTables() {}

  private static List<HostTable> all() {
    List<HostTable> all =
        new ArrayList<>(
            List.of(
                CATALOG_NAME,
                SCHEMATA,
                TABLES,
                COLUMNS,
                VIEWS,
                TABLE_CONSTRAINTS,
                KEY_COLUMN_USAGE,
                REFERENTIAL_CONSTRAINTS,
                CHECK_CONSTRAINTS,
                INDEXES,
                INDEX_COLUMNS,
                COLUMN_STATISTICS,
                SEQUENCES,
                SETTINGS,
                STATISTICS));
    all.addAll(StandardTables.ALL);
    all.addAll(UsageTables.ALL);
    all.addAll(RoutineTables.ALL);
    all.addAll(GrantTables.EMPTY);
    all.addAll(GrantTables.FILLED);
    return List.copyOf(all);
  }
}
