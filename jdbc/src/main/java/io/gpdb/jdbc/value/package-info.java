/**
 * Values and errors as JDBC has them: its types, dates, large objects, escapes and SQLExceptions.
 */
@NullMarked
package io.gpdb.jdbc.value;

import org.jspecify.annotations.NullMarked;
