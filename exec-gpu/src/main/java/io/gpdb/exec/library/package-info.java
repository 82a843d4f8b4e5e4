/**
 * The kernel library: what transactions and queries run on a device. A class named {@code Grid…}
 * holds kernels and launches them; expressions come from outside as {@link
 * io.gpdb.exec.library.LaneProgram}s.
 */
@NullMarked
package io.gpdb.exec.library;

import org.jspecify.annotations.NullMarked;
