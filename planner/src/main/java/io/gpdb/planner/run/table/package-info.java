/** Rows of tables: scans, look-ups in indexes, joins by them, and which rows a scan leaves out. */
@NullMarked
package io.gpdb.planner.run.table;

import org.jspecify.annotations.NullMarked;
