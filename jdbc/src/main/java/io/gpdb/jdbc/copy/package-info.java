/** Import and export of CSV: the reader and writer of COPY, by bytes and by columns. */
@NullMarked
package io.gpdb.jdbc.copy;

import org.jspecify.annotations.NullMarked;
