/** Dictionaries: the distinct strings of a column, their codes, and which codes are free. */
@NullMarked
package io.gpdb.storage.dictionary;

import org.jspecify.annotations.NullMarked;
