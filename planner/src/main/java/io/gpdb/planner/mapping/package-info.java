/**
 * Queries: relational trees mapped to sources, with the host operators that need a mapper of their
 * own.
 */
@NullMarked
package io.gpdb.planner.mapping;

import org.jspecify.annotations.NullMarked;
