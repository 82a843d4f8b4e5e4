/** Functions of SQL on the JVM: static methods, and calls of SQL as calls of them. */
@NullMarked
package io.gpdb.planner.function;

import org.jspecify.annotations.NullMarked;
