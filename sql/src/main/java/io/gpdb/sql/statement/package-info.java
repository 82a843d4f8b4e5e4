/** A statement as the planner gets it. */
@NullMarked
package io.gpdb.sql.statement;

import org.jspecify.annotations.NullMarked;
