/** Media that crash and fail on request. */
@NullMarked
package io.gpdb.simulation.medium;

import org.jspecify.annotations.NullMarked;
