/** From a parsed statement to what is to be done. */
@NullMarked
package io.gpdb.sql.analysis;

import org.jspecify.annotations.NullMarked;
