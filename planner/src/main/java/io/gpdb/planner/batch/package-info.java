/**
 * Queries: batches of rows in columns, and what every source of batches shares: memory, binding to
 * a kernel, measures.
 */
@NullMarked
package io.gpdb.planner.batch;

import org.jspecify.annotations.NullMarked;
