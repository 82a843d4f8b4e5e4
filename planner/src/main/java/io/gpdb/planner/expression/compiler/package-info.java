/**
 * Expressions: Calcite's row expressions as lane programs of a kernel, or evaluated on the host.
 */
@NullMarked
package io.gpdb.planner.expression.compiler;

import org.jspecify.annotations.NullMarked;
