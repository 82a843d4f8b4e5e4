/**
 * The catalog: definitions as the system table keeps them, their changes, and the names that a
 * statement sees.
 */
@NullMarked
package io.gpdb.sql.catalog;

import org.jspecify.annotations.NullMarked;
