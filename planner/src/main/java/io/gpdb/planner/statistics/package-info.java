/** Statistics of tables: what ANALYZE finds and stores, and what plans are told of it. */
@NullMarked
package io.gpdb.planner.statistics;

import org.jspecify.annotations.NullMarked;
