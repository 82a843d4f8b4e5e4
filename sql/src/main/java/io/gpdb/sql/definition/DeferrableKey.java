package io.gpdb.sql.definition;

/**
 * What makes an index that of a DEFERRABLE PRIMARY KEY or UNIQUE constraint, whose keys several
 * rows may have until a transaction ends: to all else it is an index that is not unique.
 */
public record DeferrableKey(boolean primary, Deferrability deferrability) {}
