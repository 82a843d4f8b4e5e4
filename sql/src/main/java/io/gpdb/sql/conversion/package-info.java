/** From syntax to relational trees: queries, and the conditions and values that a table has. */
@NullMarked
package io.gpdb.sql.conversion;

import org.jspecify.annotations.NullMarked;
