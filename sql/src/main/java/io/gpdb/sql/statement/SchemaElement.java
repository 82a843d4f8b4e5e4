package io.gpdb.sql.statement;

import java.util.List;

/**
 * A statement in CREATE SCHEMA.
 *
 * @param text the whole statement
 * @param withoutForeignKeys the same without the foreign keys of a table
 * @param foreignKeys the statements that add these
 */
public record SchemaElement(String text, String withoutForeignKeys, List<String> foreignKeys) {
  public SchemaElement {
    foreignKeys = List.copyOf(foreignKeys);
  }

  /** A statement without foreign keys. */
  public SchemaElement(String text) {
    this(text, text, List.of());
  }
}
