/** Replay of the log after a crash, and the check of its files. */
@NullMarked
package io.gpdb.txn.recovery;

import org.jspecify.annotations.NullMarked;
