@NullMarked
package io.gpdb.txn;

import org.jspecify.annotations.NullMarked;
