/** Kernels that add rows to many groups, partition by partition. */
@NullMarked
package io.gpdb.exec.library.group.partition;

import org.jspecify.annotations.NullMarked;
