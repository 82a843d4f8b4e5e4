/** The write-ahead log: its records, its files, and how they are read. */
@NullMarked
package io.gpdb.txn.log;

import org.jspecify.annotations.NullMarked;
