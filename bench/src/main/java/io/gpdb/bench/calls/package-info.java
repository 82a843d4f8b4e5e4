/** Random calls of everything that {@code java.sql} names, with odd arguments. */
@NullMarked
package io.gpdb.bench.calls;

import org.jspecify.annotations.NullMarked;
