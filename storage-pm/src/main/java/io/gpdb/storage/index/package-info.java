/** Indexes from keys to rows: the hash index, the ordered index, and how they are built. */
@NullMarked
package io.gpdb.storage.index;

import org.jspecify.annotations.NullMarked;
