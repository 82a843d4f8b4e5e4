/** A file system that tells of what is really done to its files, and can have that fail. */
@NullMarked
package io.gpdb.simulation.recorded;

import org.jspecify.annotations.NullMarked;
