/** A table: its tablets, dictionaries and indexes, their check, and what of it is garbage. */
@NullMarked
package io.gpdb.storage.table;

import org.jspecify.annotations.NullMarked;
