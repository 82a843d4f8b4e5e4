/** The dialect: what the parser and the validator take, and which functions there are. */
@NullMarked
package io.gpdb.sql.dialect;

import org.jspecify.annotations.NullMarked;
