package io.gpdb.sql.definition;

/** Names of schemas that every database has, and of those that nobody may name. */
public final class SchemaNames {
  /** Holds what is created without the name of a schema. */
  public static final String PUBLIC = "PUBLIC";

  /** The name of the database where the standard asks for one: there is one in each file. */
  public static final String CATALOG = "GPDB";

  /** The user of every session. */
  public static final String USER = "gpdb";

  /** Holds the tables that describe the database. */
  public static final String INFORMATION_SCHEMA = "INFORMATION_SCHEMA";

  /** With what names of hidden schemas begin; no other schema's name may. */
  private static final String HIDDEN = "$";

  private static final String TEMPORARY = "$TEMPORARY_";

  /** The schema of a temporary table as long as the session has none: nothing is created there. */
  public static final String NO_SESSION = TEMPORARY + "OF_NOBODY";

  private SchemaNames() {}

  /** The schema that holds the temporary tables of a session. */
  public static String temporary(long session) {
    return TEMPORARY + session;
  }

  public static boolean isTemporary(String schema) {
    return schema.startsWith(TEMPORARY);
  }

  public static boolean isHidden(String schema) {
    return schema.startsWith(HIDDEN);
  }
}
