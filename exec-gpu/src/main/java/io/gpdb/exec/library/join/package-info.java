/** Kernels that join rows by equal keys. */
@NullMarked
package io.gpdb.exec.library.join;

import org.jspecify.annotations.NullMarked;
