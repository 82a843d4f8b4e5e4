/**
 * The {@code jdbc:gpdb:} driver: it opens databases, holds sessions and turns the engine's rows and
 * errors into those of JDBC. The only place that puts storage, device, transactions and planner
 * together.
 */
@NullMarked
package io.gpdb.jdbc;

import org.jspecify.annotations.NullMarked;
