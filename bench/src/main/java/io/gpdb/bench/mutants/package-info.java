/** Changes the engine's class files one instruction at a time, to see which tests notice. */
@NullMarked
package io.gpdb.bench.mutants;

import org.jspecify.annotations.NullMarked;
