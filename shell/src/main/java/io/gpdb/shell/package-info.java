/**
 * The SQL shell and the {@code gpdb} command; everything it does to a database goes through JDBC.
 */
@NullMarked
package io.gpdb.shell;

import org.jspecify.annotations.NullMarked;
