/** SQL types, how they compare, and values as text. */
@NullMarked
package io.gpdb.sql.type;

import org.jspecify.annotations.NullMarked;
