/** Aggregates and groups: in kernels, on the host for few rows, in parts of files beyond memory. */
@NullMarked
package io.gpdb.planner.run.group;

import org.jspecify.annotations.NullMarked;
