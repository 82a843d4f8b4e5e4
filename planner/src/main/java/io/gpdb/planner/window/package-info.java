/** Window functions on the host: rows in partitions and order, frames, and what frames return. */
@NullMarked
package io.gpdb.planner.window;

import org.jspecify.annotations.NullMarked;
