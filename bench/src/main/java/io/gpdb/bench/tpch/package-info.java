/** The tables and queries of TPC-H: their answers on one device held against those on another. */
@NullMarked
package io.gpdb.bench.tpch;

import org.jspecify.annotations.NullMarked;
