/** The command that measures, and the benchmarks that compare. */
@NullMarked
package io.gpdb.bench;

import org.jspecify.annotations.NullMarked;
