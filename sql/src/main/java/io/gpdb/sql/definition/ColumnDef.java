package io.gpdb.sql.definition;

import io.gpdb.sql.type.SqlTypeSpec;
import org.jspecify.annotations.Nullable;

/**
 * A column of a table as the catalog knows it.
 *
 * @param defaultSql the text of its DEFAULT
 * @param identity how its values are numbered, for an identity column
 * @param generatedSql the text of the expression that computes it, for a generated column
 * @param notNullName the name of its NOT NULL constraint, where one was given
 * @param domain the domain or distinct type that it was declared with
 * @param statistics what ANALYZE found of its values
 */
public record ColumnDef(
    String name,
    SqlTypeSpec type,
    boolean nullable,
    @Nullable String defaultSql,
    @Nullable IdentityDef identity,
    @Nullable String generatedSql,
    @Nullable String notNullName,
    @Nullable String comment,
    @Nullable ObjectName domain,
    @Nullable ColumnStatistics statistics) {

  /** A column that is neither numbered nor generated. */
  public ColumnDef(String name, SqlTypeSpec type, boolean nullable, @Nullable String defaultSql) {
    this(name, type, nullable, defaultSql, null, null, null, null, null, null);
  }

  /** Whether nothing but its type, its default and its taking NULL is said of it. */
  public boolean isPlain() {
    return identity == null
        && generatedSql == null
        && notNullName == null
        && comment == null
        && domain == null
        && statistics == null;
  }

  public ColumnDef withName(String other) {
    return new ColumnDef(
        other,
        type,
        nullable,
        defaultSql,
        identity,
        generatedSql,
        notNullName,
        comment,
        domain,
        statistics);
  }

  /** The column with a type that is no domain's. */
  public ColumnDef withType(SqlTypeSpec other) {
    return new ColumnDef(
        name,
        other,
        nullable,
        defaultSql,
        identity,
        generatedSql,
        notNullName,
        comment,
        null,
        null);
  }

  public ColumnDef withNullable(boolean other) {
    return new ColumnDef(
        name,
        type,
        other,
        defaultSql,
        identity,
        generatedSql,
        notNullName,
        comment,
        domain,
        statistics);
  }

  public ColumnDef withDefault(@Nullable String other) {
    return new ColumnDef(
        name,
        type,
        nullable,
        other,
        identity,
        generatedSql,
        notNullName,
        comment,
        domain,
        statistics);
  }

  public ColumnDef withIdentity(@Nullable IdentityDef other) {
    return new ColumnDef(
        name,
        type,
        nullable,
        defaultSql,
        other,
        generatedSql,
        notNullName,
        comment,
        domain,
        statistics);
  }

  public ColumnDef withGenerated(@Nullable String other) {
    return new ColumnDef(
        name,
        type,
        nullable,
        defaultSql,
        identity,
        other,
        notNullName,
        comment,
        domain,
        statistics);
  }

  public ColumnDef withNotNullName(@Nullable String other) {
    return new ColumnDef(
        name,
        type,
        nullable,
        defaultSql,
        identity,
        generatedSql,
        other,
        comment,
        domain,
        statistics);
  }

  public ColumnDef withComment(@Nullable String other) {
    return new ColumnDef(
        name,
        type,
        nullable,
        defaultSql,
        identity,
        generatedSql,
        notNullName,
        other,
        domain,
        statistics);
  }

  public ColumnDef withDomain(@Nullable ObjectName other) {
    return new ColumnDef(
        name,
        type,
        nullable,
        defaultSql,
        identity,
        generatedSql,
        notNullName,
        comment,
        other,
        statistics);
  }

  public ColumnDef withStatistics(@Nullable ColumnStatistics other) {
    return new ColumnDef(
        name,
        type,
        nullable,
        defaultSql,
        identity,
        generatedSql,
        notNullName,
        comment,
        domain,
        other);
  }
}
