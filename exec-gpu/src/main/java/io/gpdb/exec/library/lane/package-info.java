/** Lane programs: what a kernel computes for each row, and how its inputs are bound. */
@NullMarked
package io.gpdb.exec.library.lane;

import org.jspecify.annotations.NullMarked;
