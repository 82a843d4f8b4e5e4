/**
 * What stands on sorted rows: ORDER BY, the first rows, windows, groups in order; beyond memory in
 * sorted runs.
 */
@NullMarked
package io.gpdb.planner.run.sort;

import org.jspecify.annotations.NullMarked;
