package io.gpdb.sql.parser;

import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.jspecify.annotations.Nullable;

/** A column as CREATE TABLE writes it; the type is absent in CREATE TABLE AS. */
public final class ColumnClause {
  private final SqlIdentifier name;
  private final @Nullable SqlDataTypeSpec type;
  private boolean notNull;
  private boolean declaredNullable;
  private @Nullable SqlNode defaultValue;

  public ColumnClause(SqlIdentifier name, @Nullable SqlDataTypeSpec type) {
    this.name = name;
    this.type = type;
  }

  public SqlIdentifier name() {
    return name;
  }

  public @Nullable SqlDataTypeSpec type() {
    return type;
  }

  /** Sees NOT NULL. */
  public void notNull() {
    notNull = true;
    ParsedStatement.require(!declaredNullable, "column " + name + " is NULL and NOT NULL", name);
  }

  /** Sees NULL. */
  public void declareNullable() {
    declaredNullable = true;
    ParsedStatement.require(!notNull, "column " + name + " is NULL and NOT NULL", name);
  }

  /** Sees DEFAULT. */
  public void defaultValue(SqlNode value) {
    ParsedStatement.require(defaultValue == null, "column " + name + " has two defaults", name);
    defaultValue = value;
  }

  public boolean isNotNull() {
    return notNull;
  }

  public boolean isDeclaredNullable() {
    return declaredNullable;
  }

  public @Nullable SqlNode defaultValue() {
    return defaultValue;
  }
}
