/**
 * Statements that change rows: their targets, also through views, and what is assigned and
 * returned.
 */
@NullMarked
package io.gpdb.sql.change;

import org.jspecify.annotations.NullMarked;
