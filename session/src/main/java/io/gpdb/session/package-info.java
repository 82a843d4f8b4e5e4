/**
 * Sessions: a transaction, settings and savepoints, and the statements that run one after another.
 * Knows nothing of JDBC: it takes values of the planner and raises the engine's own errors.
 */
@NullMarked
package io.gpdb.session;

import org.jspecify.annotations.NullMarked;
