/** A table in memory and at home: chunks, tablets, dictionaries, indexes, and their check. */
@NullMarked
package io.gpdb.storage.table;

import org.jspecify.annotations.NullMarked;
