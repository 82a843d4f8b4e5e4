package io.gpdb.sql.catalog;

/**
 * How an identity column is numbered.
 *
 * @param always whether only the sequence gives its values (GENERATED ALWAYS)
 * @param sequenceId the object id of the sequence that gives them
 */
public record IdentityDef(boolean always, int sequenceId) {}
