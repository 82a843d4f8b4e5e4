package io.gpdb.sql.parser;

import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** PRIMARY KEY or UNIQUE as CREATE TABLE writes it, at a column or at the table. */
public record KeyClause(
    @Nullable SqlIdentifier name,
    boolean primary,
    SqlNodeList columns,
    Deferral deferral,
    SqlParserPos position)
    implements ConstraintClause {}
