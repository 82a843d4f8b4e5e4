/** Changes of rows by key: one by one or many rows of values in a batch, without a query. */
@NullMarked
package io.gpdb.planner.keyed;

import org.jspecify.annotations.NullMarked;
