/**
 * What expressions are over: values and rows on the host, strings by their codes, types and
 * literals of row expressions.
 */
@NullMarked
package io.gpdb.planner.expression;

import org.jspecify.annotations.NullMarked;
