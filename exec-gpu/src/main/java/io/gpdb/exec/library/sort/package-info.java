/** Kernels that sort rows by keys, all of them or the first few. */
@NullMarked
package io.gpdb.exec.library.sort;

import org.jspecify.annotations.NullMarked;
