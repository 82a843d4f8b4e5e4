@NullMarked
package io.gpdb.planner;

import org.jspecify.annotations.NullMarked;
