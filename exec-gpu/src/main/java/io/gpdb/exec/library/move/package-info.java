/** Kernels that move rows: prefix sums, packing, gathering, sorting by keys of bits. */
@NullMarked
package io.gpdb.exec.library.move;

import org.jspecify.annotations.NullMarked;
