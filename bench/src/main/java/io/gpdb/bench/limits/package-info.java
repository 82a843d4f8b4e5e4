/** What the machine's memory and storage can do at best, whatever runs on it. */
@NullMarked
package io.gpdb.bench.limits;

import org.jspecify.annotations.NullMarked;
