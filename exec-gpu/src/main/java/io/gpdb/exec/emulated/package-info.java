/** The device that every machine has: the kernel language run on the host's own threads. */
@NullMarked
package io.gpdb.exec.emulated;

import org.jspecify.annotations.NullMarked;
