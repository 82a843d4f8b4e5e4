/** Kernels that filter and project rows. */
@NullMarked
package io.gpdb.exec.library.scan;

import org.jspecify.annotations.NullMarked;
