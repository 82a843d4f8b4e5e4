package io.gpdb.sql.statement;

import org.apache.calcite.rex.RexNode;

/** A column that a change computes, by an expression over the table's columns. */
public record GeneratedColumn(int column, RexNode value) {}
