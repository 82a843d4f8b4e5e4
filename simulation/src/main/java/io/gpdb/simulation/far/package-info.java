/** A device whose memory the host cannot read: whatever it is to see is copied, and counted. */
@NullMarked
package io.gpdb.simulation.far;

import org.jspecify.annotations.NullMarked;
