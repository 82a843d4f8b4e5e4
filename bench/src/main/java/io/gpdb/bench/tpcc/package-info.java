/** The five transactions of TPC-C in their mix, on gpDB and on other databases beside it. */
@NullMarked
package io.gpdb.bench.tpcc;

import org.jspecify.annotations.NullMarked;
