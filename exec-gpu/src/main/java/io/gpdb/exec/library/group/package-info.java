/** Kernels that aggregate rows, all of them or in groups. */
@NullMarked
package io.gpdb.exec.library.group;

import org.jspecify.annotations.NullMarked;
