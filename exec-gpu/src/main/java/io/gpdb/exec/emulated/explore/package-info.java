/** All orders in which the warps of a launch may run and its stores may become durable. */
@NullMarked
package io.gpdb.exec.emulated.explore;

import org.jspecify.annotations.NullMarked;
