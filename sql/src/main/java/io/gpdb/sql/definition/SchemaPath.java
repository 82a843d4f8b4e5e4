package io.gpdb.sql.definition;

import org.jspecify.annotations.Nullable;

/**
 * Where a session looks for names that are written without a schema: among its temporary tables, if
 * it has made any, then in its current schema.
 *
 * @param temporary the hidden schema of the temporary tables
 */
public record SchemaPath(@Nullable String temporary, String current) {
  /** That of every session at first. */
  public static final SchemaPath PUBLIC = new SchemaPath(null, SchemaNames.PUBLIC);

  public SchemaPath withCurrent(String schema) {
    return new SchemaPath(temporary, schema);
  }

  public SchemaPath withTemporary(String schema) {
    return new SchemaPath(schema, current);
  }
}
