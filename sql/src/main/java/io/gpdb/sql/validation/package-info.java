/** Names, types and parameters of a parsed query. */
@NullMarked
package io.gpdb.sql.validation;

import org.jspecify.annotations.NullMarked;
