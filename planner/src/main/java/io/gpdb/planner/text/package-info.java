/** Character strings by code points, the search in them, and their limit. */
@NullMarked
package io.gpdb.planner.text;

import org.jspecify.annotations.NullMarked;
