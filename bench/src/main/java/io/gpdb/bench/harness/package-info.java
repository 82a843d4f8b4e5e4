/**
 * What all benchmarks and campaigns use: scratch directories, statistics, tables on paper and as
 * JSON.
 */
@NullMarked
package io.gpdb.bench.harness;

import org.jspecify.annotations.NullMarked;
