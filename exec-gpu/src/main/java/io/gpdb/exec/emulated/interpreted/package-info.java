/** The executor that runs a kernel as a list of steps over whole warps. */
@NullMarked
package io.gpdb.exec.emulated.interpreted;

import org.jspecify.annotations.NullMarked;
