package io.gpdb.sql.definition;

import org.jspecify.annotations.Nullable;

/**
 * A schema that a user has created; PUBLIC is there without a definition unless it has a comment.
 */
public record SchemaDef(int schemaId, String name, @Nullable String comment) {
  SchemaDef withSchemaId(int id) {
    return new SchemaDef(id, name, comment);
  }

  public SchemaDef withComment(@Nullable String other) {
    return new SchemaDef(schemaId, name, other);
  }
}
