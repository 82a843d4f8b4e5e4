/**
 * The bridge to Calcite's enumerable convention: runs any relational tree row by row, for operators
 * that have no executor of ours.
 */
@NullMarked
package io.gpdb.planner.bridge;

import org.jspecify.annotations.NullMarked;
