/** Commits, snapshots and the undo versions of rows, and which transaction sees what. */
@NullMarked
package io.gpdb.txn.version;

import org.jspecify.annotations.NullMarked;
