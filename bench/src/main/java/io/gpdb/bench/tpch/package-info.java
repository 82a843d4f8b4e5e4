/**
 * The tables and queries of TPC-H: answers and times on one device and another, in gpDB and in
 * others.
 */
@NullMarked
package io.gpdb.bench.tpch;

import org.jspecify.annotations.NullMarked;
