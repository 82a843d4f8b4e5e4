/** Queries: relational trees as operators over columnar batches. */
@NullMarked
package io.gpdb.planner.query;

import org.jspecify.annotations.NullMarked;
