/** The table space: all tables of a database, their checkpoint, backup and check. */
@NullMarked
package io.gpdb.storage.space;

import org.jspecify.annotations.NullMarked;
