/**
 * Queries: relational trees rewritten before they are mapped: conditions moved down, joins put in
 * order.
 */
@NullMarked
package io.gpdb.planner.rewrite;

import org.jspecify.annotations.NullMarked;
