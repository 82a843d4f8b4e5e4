/** The interface of transactions: options, protocols, readers and writers of tables, statistics. */
@NullMarked
package io.gpdb.txn.api;

import org.jspecify.annotations.NullMarked;
