/** What a statement takes and returns: parameters, values, results. */
@NullMarked
package io.gpdb.planner.statement;

import org.jspecify.annotations.NullMarked;
