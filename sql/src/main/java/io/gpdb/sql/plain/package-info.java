/** Plain queries from syntax straight to relational trees, without Calcite's validator. */
@NullMarked
package io.gpdb.sql.plain;

import org.jspecify.annotations.NullMarked;
