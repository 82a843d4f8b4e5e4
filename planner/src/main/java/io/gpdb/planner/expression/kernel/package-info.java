/** Functions of SQL as lane programs of a kernel, and what a kernel of expressions reads. */
@NullMarked
package io.gpdb.planner.expression.kernel;

import org.jspecify.annotations.NullMarked;
