package io.gpdb.sql.statement;

import io.gpdb.sql.definition.ObjectName;
import org.apache.calcite.rel.RelNode;

/**
 * A view's condition, which rows written through the view must meet.
 *
 * @param violations a query for the ids of the rows that do not
 */
public record ViewCheck(ObjectName view, RelNode violations) {}
