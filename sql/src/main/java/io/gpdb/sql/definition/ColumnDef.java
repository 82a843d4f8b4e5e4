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
    Draft draft = new Draft(this);
    draft.name = other;
    return draft.column();
  }

  /** The column with a type that is no domain's. */
  public ColumnDef withType(SqlTypeSpec other) {
    Draft draft = new Draft(this);
    draft.type = other;
    draft.domain = null;
    draft.statistics = null;
    return draft.column();
  }

  public ColumnDef withNullable(boolean other) {
    Draft draft = new Draft(this);
    draft.nullable = other;
    return draft.column();
  }

  public ColumnDef withDefault(@Nullable String other) {
    Draft draft = new Draft(this);
    draft.defaultSql = other;
    return draft.column();
  }

  public ColumnDef withIdentity(@Nullable IdentityDef other) {
    Draft draft = new Draft(this);
    draft.identity = other;
    return draft.column();
  }

  public ColumnDef withGenerated(@Nullable String other) {
    Draft draft = new Draft(this);
    draft.generatedSql = other;
    return draft.column();
  }

  public ColumnDef withNotNullName(@Nullable String other) {
    Draft draft = new Draft(this);
    draft.notNullName = other;
    return draft.column();
  }

  public ColumnDef withComment(@Nullable String other) {
    Draft draft = new Draft(this);
    draft.comment = other;
    return draft.column();
  }

  public ColumnDef withDomain(@Nullable ObjectName other) {
    Draft draft = new Draft(this);
    draft.domain = other;
    return draft.column();
  }

  public ColumnDef withStatistics(@Nullable ColumnStatistics other) {
    Draft draft = new Draft(this);
    draft.statistics = other;
    return draft.column();
  }

  /** What a column is made of, until it differs from another one as it should. */
  private static final class Draft {
    private String name;
    private SqlTypeSpec type;
    private boolean nullable;
    private @Nullable String defaultSql;
    private @Nullable IdentityDef identity;
    private @Nullable String generatedSql;
    private @Nullable String notNullName;
    private @Nullable String comment;
    private @Nullable ObjectName domain;
    private @Nullable ColumnStatistics statistics;

    private Draft(ColumnDef column) {
      name = column.name;
      type = column.type;
      nullable = column.nullable;
      defaultSql = column.defaultSql;
      identity = column.identity;
      generatedSql = column.generatedSql;
      notNullName = column.notNullName;
      comment = column.comment;
      domain = column.domain;
      statistics = column.statistics;
    }

    private ColumnDef column() {
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
          statistics);
    }
  }
}
