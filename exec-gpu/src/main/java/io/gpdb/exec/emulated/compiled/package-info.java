/** The executor that compiles a kernel to classes of the JVM. */
@NullMarked
package io.gpdb.exec.emulated.compiled;

import org.jspecify.annotations.NullMarked;
