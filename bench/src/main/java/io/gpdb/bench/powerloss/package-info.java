/** Legal losses of power, replayed from what was really done to the files of a database. */
@NullMarked
package io.gpdb.bench.powerloss;

import org.jspecify.annotations.NullMarked;
