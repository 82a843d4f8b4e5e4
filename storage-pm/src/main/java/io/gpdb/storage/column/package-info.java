/** Columns as storage sees them: element types, shapes, ranges, values, bits, hashes and fields. */
@NullMarked
package io.gpdb.storage.column;

import org.jspecify.annotations.NullMarked;
