/**
 * The executor that says what a kernel means: one warp after the other, one operation at a time.
 */
@NullMarked
package io.gpdb.exec.emulated.reference;

import org.jspecify.annotations.NullMarked;
