/** All orders in which the warps of a launch may run and its stores may become durable. */
@NullMarked
package io.gpdb.simulation.explore;

import org.jspecify.annotations.NullMarked;
