/** A load that goes on, with strings that are always new, and the memory and files it takes. */
@NullMarked
package io.gpdb.bench.soak;

import org.jspecify.annotations.NullMarked;
