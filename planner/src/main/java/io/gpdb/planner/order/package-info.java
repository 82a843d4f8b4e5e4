/**
 * The order of joins: relations and what links them, their sizes, and the search for the cheapest
 * tree.
 */
@NullMarked
package io.gpdb.planner.order;

import org.jspecify.annotations.NullMarked;
