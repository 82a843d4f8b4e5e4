/**
 * Transactions: they begin, read, write, wait, roll back and commit; the open database and its
 * checkpoints.
 */
@NullMarked
package io.gpdb.txn;

import org.jspecify.annotations.NullMarked;
