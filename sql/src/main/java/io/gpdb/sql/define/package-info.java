/**
 * Statements that define tables, domains, sequences and indexes, and calls of functions of users.
 */
@NullMarked
package io.gpdb.sql.define;

import org.jspecify.annotations.NullMarked;
