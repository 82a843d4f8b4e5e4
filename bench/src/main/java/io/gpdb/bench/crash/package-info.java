/** The crash explorer: what a failure of power can leave, tried state by state. */
@NullMarked
package io.gpdb.bench.crash;

import org.jspecify.annotations.NullMarked;
