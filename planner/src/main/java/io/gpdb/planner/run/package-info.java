/**
 * Queries: sources of columnar batches, most of them kernels over the batches of another source.
 */
@NullMarked
package io.gpdb.planner.run;

import org.jspecify.annotations.NullMarked;
