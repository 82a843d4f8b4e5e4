/** Relational trees: subqueries and correlation, and the order in which errors are raised. */
@NullMarked
package io.gpdb.sql.tree;

import org.jspecify.annotations.NullMarked;
