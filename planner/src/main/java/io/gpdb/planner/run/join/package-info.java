/** Joins: a hash table of one side's rows, met by the other's, in memory or in parts of files. */
@NullMarked
package io.gpdb.planner.run.join;

import org.jspecify.annotations.NullMarked;
