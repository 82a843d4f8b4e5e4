/** The kernel language: a structured, typed, per-lane intermediate representation. */
@NullMarked
package io.gpdb.exec.ir;

import org.jspecify.annotations.NullMarked;
