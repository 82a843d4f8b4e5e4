/** The kernel language printed as PTX, NVIDIA's portable assembly. */
@NullMarked
package io.gpdb.exec.ptx;

import org.jspecify.annotations.NullMarked;
