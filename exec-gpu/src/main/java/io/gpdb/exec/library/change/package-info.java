/** Kernels that change tables, log what they change, and replay it. */
@NullMarked
package io.gpdb.exec.library.change;

import org.jspecify.annotations.NullMarked;
