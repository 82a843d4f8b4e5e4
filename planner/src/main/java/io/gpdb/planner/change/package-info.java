/** Statements that change tables: sinks behind queries, and rows that are inserted. */
@NullMarked
package io.gpdb.planner.change;

import org.jspecify.annotations.NullMarked;
