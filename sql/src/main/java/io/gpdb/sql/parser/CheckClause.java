package io.gpdb.sql.parser;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** CHECK: {@code condition} is the place of the condition with the parentheses around it. */
public record CheckClause(@Nullable SqlIdentifier name, SqlParserPos condition, Deferral deferral)
    implements ConstraintClause {}
