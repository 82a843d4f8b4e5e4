/** Kernels that aggregate rows in groups. */
@NullMarked
package io.gpdb.exec.library.group;

import org.jspecify.annotations.NullMarked;
