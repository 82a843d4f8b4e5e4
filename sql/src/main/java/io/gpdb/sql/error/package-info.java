/** What can be wrong with a statement and the values that it computes. */
@NullMarked
package io.gpdb.sql.error;

import org.jspecify.annotations.NullMarked;
