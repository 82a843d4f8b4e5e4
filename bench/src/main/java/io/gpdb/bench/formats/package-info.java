/** Changes fields of a database's files, with right checksums, and opens what comes of it. */
@NullMarked
package io.gpdb.bench.formats;

import org.jspecify.annotations.NullMarked;
