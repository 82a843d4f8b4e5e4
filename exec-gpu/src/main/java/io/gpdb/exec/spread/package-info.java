/** Several devices as one: tables are spread over their memories, launches over their kernels. */
@NullMarked
package io.gpdb.exec.spread;

import org.jspecify.annotations.NullMarked;
