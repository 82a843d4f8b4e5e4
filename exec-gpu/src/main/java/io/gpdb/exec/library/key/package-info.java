/** Keys of groups and joins as words, and kernels that number the distinct ones. */
@NullMarked
package io.gpdb.exec.library.key;

import org.jspecify.annotations.NullMarked;
