/** Plain statements straight from their words, without a syntax tree. */
@NullMarked
package io.gpdb.sql.direct;

import org.jspecify.annotations.NullMarked;
