/** What no snapshot needs any more: undo versions, dropped tables, unused strings. */
@NullMarked
package io.gpdb.txn.reclaim;

import org.jspecify.annotations.NullMarked;
