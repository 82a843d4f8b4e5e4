/**
 * Statements that define tables, indexes, sequences, views and schemas, and what is done to rows
 * for them.
 */
@NullMarked
package io.gpdb.planner.definition;

import org.jspecify.annotations.NullMarked;
