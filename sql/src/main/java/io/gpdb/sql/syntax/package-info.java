/** A parsed query before it is validated: what is in it, and forms that are written as others. */
@NullMarked
package io.gpdb.sql.syntax;

import org.jspecify.annotations.NullMarked;
