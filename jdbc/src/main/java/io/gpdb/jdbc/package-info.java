/**
 * The {@code jdbc:gpdb:} driver: URLs, connections, statements, result sets and metadata on top of
 * sessions, with the engine's values and errors as those of JDBC.
 */
@NullMarked
package io.gpdb.jdbc;

import org.jspecify.annotations.NullMarked;
