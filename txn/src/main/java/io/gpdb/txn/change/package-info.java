/** What a transaction has written, and the kernels that store and log it. */
@NullMarked
package io.gpdb.txn.change;

import org.jspecify.annotations.NullMarked;
