/**
 * Functions of SQL on the host that are more than a method of their arguments: logic, choices,
 * casts, sequences.
 */
@NullMarked
package io.gpdb.planner.expression.host;

import org.jspecify.annotations.NullMarked;
