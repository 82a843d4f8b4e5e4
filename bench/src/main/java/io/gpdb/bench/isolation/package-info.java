/** Random histories of lists and appends, and a checker that finds anomalies in them. */
@NullMarked
package io.gpdb.bench.isolation;

import org.jspecify.annotations.NullMarked;
