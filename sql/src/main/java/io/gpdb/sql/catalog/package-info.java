/**
 * Tables, columns, keys and views as the system table keeps them, and what a statement sees of
 * them.
 */
@NullMarked
package io.gpdb.sql.catalog;

import org.jspecify.annotations.NullMarked;
