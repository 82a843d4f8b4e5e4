/** Statements planned, kept in the plan cache, explained and run. */
@NullMarked
package io.gpdb.planner;

import org.jspecify.annotations.NullMarked;
