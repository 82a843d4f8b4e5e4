package io.gpdb.sql.parser;

import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.jspecify.annotations.Nullable;

/** A column as CREATE TABLE writes it; the type is absent in CREATE TABLE AS. */
public final class ColumnClause {
  private final SqlIdentifier name;
  private final @Nullable SqlDataTypeSpec type;
  private boolean like;
  private boolean likeDefaults;
  private boolean notNull;
  private @Nullable String notNullName;
  private boolean declaredNullable;
  private @Nullable SqlNode defaultValue;
  private @Nullable SqlNode generated;
  private @Nullable SequenceOptions identity;
  private boolean always;

  public ColumnClause(SqlIdentifier name, @Nullable SqlDataTypeSpec type) {
    this.name = name;
    this.type = type;
  }

  /** LIKE a table: the columns of that. */
  public static ColumnClause like(SqlIdentifier source, boolean defaults) {
    ColumnClause clause = new ColumnClause(source, null);
    clause.like = true;
    clause.likeDefaults = defaults;
    return clause;
  }

  /** Whether the name is that of a table whose columns are to be copied. */
  public boolean isLike() {
    return like;
  }

  /** Whether their defaults are, too. */
  public boolean isLikeWithDefaults() {
    return likeDefaults;
  }

  public SqlIdentifier name() {
    return name;
  }

  public @Nullable SqlDataTypeSpec type() {
    return type;
  }

  /** Sees NOT NULL, with the name of the constraint where one is given. */
  public void notNull(@Nullable SqlIdentifier constraint) {
    notNull = true;
    notNullName = constraint == null ? notNullName : constraint.getSimple();
    ParseErrors.require(!declaredNullable, "column " + name + " is NULL and NOT NULL", name);
  }

  /** Sees NULL. */
  public void declareNullable() {
    declaredNullable = true;
    ParseErrors.require(!notNull, "column " + name + " is NULL and NOT NULL", name);
  }

  /** Sees DEFAULT. */
  public void defaultValue(SqlNode value) {
    ParseErrors.require(defaultValue == null, "column " + name + " has two defaults", name);
    defaultValue = value;
    requireOneSource();
  }

  /** Sees GENERATED … AS IDENTITY, or another spelling of it. */
  public void identity(boolean generatedAlways, SequenceOptions options) {
    ParseErrors.require(identity == null, "column " + name + " is IDENTITY twice", name);
    identity = options;
    always = generatedAlways;
    requireOneSource();
  }

  /** Sees GENERATED ALWAYS AS an expression. */
  public void generated(SqlNode value) {
    ParseErrors.require(generated == null, "column " + name + " is computed twice", name);
    generated = value;
    requireOneSource();
  }

  private void requireOneSource() {
    int sources =
        (defaultValue == null ? 0 : 1) + (generated == null ? 0 : 1) + (identity == null ? 0 : 1);
    ParseErrors.require(
        sources <= 1, "column " + name + " has more than one of DEFAULT and GENERATED", name);
  }

  public boolean isNotNull() {
    return notNull;
  }

  /** Null where NOT NULL has none. */
  public @Nullable String notNullName() {
    return notNullName;
  }

  public boolean isDeclaredNullable() {
    return declaredNullable;
  }

  public @Nullable SqlNode defaultValue() {
    return defaultValue;
  }

  /** The expression that computes it; null where there is none. */
  public @Nullable SqlNode generated() {
    return generated;
  }

  /** The options of its sequence; null where it has none. */
  public @Nullable SequenceOptions identity() {
    return identity;
  }

  /** Whether only the sequence numbers it. */
  public boolean isAlways() {
    return always;
  }
}
