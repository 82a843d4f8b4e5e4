/** The accumulators of groups, and the kernels that add rows to them and read results from them. */
@NullMarked
package io.gpdb.exec.library.group.accumulator;

import org.jspecify.annotations.NullMarked;
