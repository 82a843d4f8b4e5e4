/** Chunks, and the tablets that they make up: 65 536 rows, column by column. */
@NullMarked
package io.gpdb.storage.tablet;

import org.jspecify.annotations.NullMarked;
