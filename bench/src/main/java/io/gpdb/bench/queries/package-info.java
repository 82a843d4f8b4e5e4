/** Tables and queries of one's own, in gpDB and in other databases: answers, times, estimates. */
@NullMarked
package io.gpdb.bench.queries;

import org.jspecify.annotations.NullMarked;
