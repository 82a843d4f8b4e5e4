/** A file system that reports what is really done to its files, and can make it fail. */
@NullMarked
package io.gpdb.simulation.recorded;

import org.jspecify.annotations.NullMarked;
