/** The way in: a text becomes an analysed statement. */
@NullMarked
package io.gpdb.sql;

import org.jspecify.annotations.NullMarked;
