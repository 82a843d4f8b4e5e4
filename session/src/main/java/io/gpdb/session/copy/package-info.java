/** Import and export of CSV: the reader and writer of COPY, by bytes and by columns. */
@NullMarked
package io.gpdb.session.copy;

import org.jspecify.annotations.NullMarked;
