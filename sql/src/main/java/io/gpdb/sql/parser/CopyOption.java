package io.gpdb.sql.parser;

import org.apache.calcite.sql.parser.SqlParserPos;
import org.jspecify.annotations.Nullable;

/** One option in the parentheses of COPY. */
public record CopyOption(String name, @Nullable String value, SqlParserPos position) {}
