/** Kernels that aggregate all rows that pass, without groups. */
@NullMarked
package io.gpdb.exec.library.reduce;

import org.jspecify.annotations.NullMarked;
