package io.gpdb.sql.definition;

import static io.gpdb.sql.definition.HostColumns.maybe;
import static io.gpdb.sql.definition.HostColumns.number;
import static io.gpdb.sql.definition.HostColumns.optional;
import static io.gpdb.sql.definition.HostColumns.table;
import static io.gpdb.sql.definition.HostColumns.text;

import io.gpdb.sql.type.SqlTypeSpec;
import java.util.ArrayList;
import java.util.List;

/**
 * Tables of INFORMATION_SCHEMA that say what gpDB has of the standard, and those of what it has
 * none of, which have no rows.
 */
final class StandardTables {
  private static final HostTable FEATURES =
      table(
          "SQL_FEATURES",
          text("FEATURE_ID"),
          text("FEATURE_NAME"),
          text("SUB_FEATURE_ID"),
          text("SUB_FEATURE_NAME"),
          text("IS_SUPPORTED"),
          maybe("IS_VERIFIED_BY"),
          maybe("COMMENTS"));

  private static final HostTable SIZING =
      table(
          "SQL_SIZING",
          number("SIZING_ID"),
          text("SIZING_NAME"),
          optional("SUPPORTED_VALUE", SqlTypeSpec.INTEGER),
          maybe("COMMENTS"));

  private static final HostTable IMPLEMENTATION =
      table(
          "SQL_IMPLEMENTATION_INFO",
          text("IMPLEMENTATION_INFO_ID"),
          text("IMPLEMENTATION_INFO_NAME"),
          optional("INTEGER_VALUE", SqlTypeSpec.INTEGER),
          maybe("CHARACTER_VALUE"),
          maybe("COMMENTS"));

  private static final HostTable CHARACTER_SETS =
      table(
          "CHARACTER_SETS",
          maybe("CHARACTER_SET_CATALOG"),
          maybe("CHARACTER_SET_SCHEMA"),
          text("CHARACTER_SET_NAME"),
          text("CHARACTER_REPERTOIRE"),
          text("FORM_OF_USE"));

  private static final HostTable VIEW_TABLE_USAGE =
      table(
          "VIEW_TABLE_USAGE",
          text("VIEW_CATALOG"),
          text("VIEW_SCHEMA"),
          text("VIEW_NAME"),
          text("TABLE_CATALOG"),
          text("TABLE_SCHEMA"),
          text("TABLE_NAME"));

  private static final HostTable DOMAINS =
      table(
          "DOMAINS",
          text("DOMAIN_CATALOG"),
          text("DOMAIN_SCHEMA"),
          text("DOMAIN_NAME"),
          text("DATA_TYPE"),
          optional("CHARACTER_MAXIMUM_LENGTH", SqlTypeSpec.BIGINT),
          optional("CHARACTER_OCTET_LENGTH", SqlTypeSpec.BIGINT),
          maybe("CHARACTER_SET_NAME"),
          optional("NUMERIC_PRECISION", SqlTypeSpec.INTEGER),
          optional("NUMERIC_PRECISION_RADIX", SqlTypeSpec.INTEGER),
          optional("NUMERIC_SCALE", SqlTypeSpec.INTEGER),
          optional("DATETIME_PRECISION", SqlTypeSpec.INTEGER),
          maybe("INTERVAL_TYPE"),
          optional("INTERVAL_PRECISION", SqlTypeSpec.INTEGER),
          maybe("DOMAIN_DEFAULT"));

  private static final HostTable TYPES =
      table(
          "USER_DEFINED_TYPES",
          text("USER_DEFINED_TYPE_CATALOG"),
          text("USER_DEFINED_TYPE_SCHEMA"),
          text("USER_DEFINED_TYPE_NAME"),
          text("USER_DEFINED_TYPE_CATEGORY"),
          text("IS_INSTANTIABLE"),
          text("IS_FINAL"),
          text("ORDERING_FORM"),
          text("ORDERING_CATEGORY"),
          maybe("ORDERING_ROUTINE_CATALOG"),
          maybe("ORDERING_ROUTINE_SCHEMA"),
          maybe("ORDERING_ROUTINE_NAME"),
          maybe("REFERENCE_TYPE"),
          text("DATA_TYPE"),
          optional("CHARACTER_MAXIMUM_LENGTH", SqlTypeSpec.BIGINT),
          optional("CHARACTER_OCTET_LENGTH", SqlTypeSpec.BIGINT),
          maybe("CHARACTER_SET_CATALOG"),
          maybe("CHARACTER_SET_SCHEMA"),
          maybe("CHARACTER_SET_NAME"),
          maybe("COLLATION_CATALOG"),
          maybe("COLLATION_SCHEMA"),
          maybe("COLLATION_NAME"),
          optional("NUMERIC_PRECISION", SqlTypeSpec.INTEGER),
          optional("NUMERIC_PRECISION_RADIX", SqlTypeSpec.INTEGER),
          optional("NUMERIC_SCALE", SqlTypeSpec.INTEGER),
          optional("DATETIME_PRECISION", SqlTypeSpec.INTEGER),
          maybe("INTERVAL_TYPE"),
          optional("INTERVAL_PRECISION", SqlTypeSpec.INTEGER),
          text("SOURCE_DTD_IDENTIFIER"),
          maybe("REF_DTD_IDENTIFIER"),
          text("CAST_TO_DISTINCT"),
          maybe("CAST_TO_SOURCE"));

  private static final HostTable DOMAIN_CONSTRAINTS =
      table(
          "DOMAIN_CONSTRAINTS",
          text("CONSTRAINT_CATALOG"),
          text("CONSTRAINT_SCHEMA"),
          text("CONSTRAINT_NAME"),
          text("DOMAIN_CATALOG"),
          text("DOMAIN_SCHEMA"),
          text("DOMAIN_NAME"),
          text("IS_DEFERRABLE"),
          text("INITIALLY_DEFERRED"),
          text("CHECK_CLAUSE"));

  /** What gpDB has none of. */
  static final List<HostTable> EMPTY =
      List.of(
          table(
              "TRIGGERS",
              text("TRIGGER_CATALOG"),
              text("TRIGGER_SCHEMA"),
              text("TRIGGER_NAME"),
              text("EVENT_MANIPULATION"),
              text("EVENT_OBJECT_SCHEMA"),
              text("EVENT_OBJECT_TABLE"),
              text("ACTION_STATEMENT"),
              text("ACTION_TIMING")),
          table(
              "ASSERTIONS",
              text("CONSTRAINT_CATALOG"),
              text("CONSTRAINT_SCHEMA"),
              text("CONSTRAINT_NAME"),
              text("IS_DEFERRABLE"),
              text("INITIALLY_DEFERRED"),
              text("CHECK_CLAUSE")),
          table(
              "TRANSLATIONS",
              text("TRANSLATION_CATALOG"),
              text("TRANSLATION_SCHEMA"),
              text("TRANSLATION_NAME"),
              text("SOURCE_CHARACTER_SET_CATALOG"),
              text("SOURCE_CHARACTER_SET_SCHEMA"),
              text("SOURCE_CHARACTER_SET_NAME"),
              text("TARGET_CHARACTER_SET_CATALOG"),
              text("TARGET_CHARACTER_SET_SCHEMA"),
              text("TARGET_CHARACTER_SET_NAME")),
          table(
              "COLLATIONS",
              text("COLLATION_CATALOG"),
              text("COLLATION_SCHEMA"),
              text("COLLATION_NAME"),
              text("PAD_ATTRIBUTE")));

  static final List<HostTable> ALL = all();

  private StandardTables() {}

  private static List<HostTable> all() {
    List<HostTable> all = new ArrayList<>(EMPTY);
    all.addAll(
        List.of(
            FEATURES,
            SIZING,
            IMPLEMENTATION,
            CHARACTER_SETS,
            VIEW_TABLE_USAGE,
            DOMAINS,
            TYPES,
            DOMAIN_CONSTRAINTS));
    return all;
  }
}
