package io.gpdb.sql.statement;

import io.gpdb.sql.definition.SequenceDef;

/** A column of an INSERT that no source has a value for: each row takes a number. */
public record NumberedColumn(int column, SequenceDef sequence) {}
