/** Constraints that a statement's changes must keep: CHECK and FOREIGN KEY. */
@NullMarked
package io.gpdb.planner.constraint;

import org.jspecify.annotations.NullMarked;
