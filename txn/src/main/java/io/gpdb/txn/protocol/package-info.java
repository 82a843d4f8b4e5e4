/** How changes become durable: redo, undo, versioned, checksummed and the baselines. */
@NullMarked
package io.gpdb.txn.protocol;

import org.jspecify.annotations.NullMarked;
