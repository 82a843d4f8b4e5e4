/**
 * What all kernels of the library build on: loading and launching, scratch memory, dense columns.
 */
@NullMarked
package io.gpdb.exec.library.base;

import org.jspecify.annotations.NullMarked;
