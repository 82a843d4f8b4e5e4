/** Statements that change tables: sinks behind queries, and the short paths by key. */
@NullMarked
package io.gpdb.planner.change;

import org.jspecify.annotations.NullMarked;
