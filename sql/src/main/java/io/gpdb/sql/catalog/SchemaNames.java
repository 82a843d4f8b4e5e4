package io.gpdb.sql.catalog;

/** Names of schemas that every database has. */
public final class SchemaNames {
  /** Holds what is created without the name of a schema. */
  public static final String PUBLIC = "PUBLIC";

  private SchemaNames() {}
}
