/**
 * What the emulated executors share: a block's state, its traps and persists, arithmetic and
 * options.
 */
@NullMarked
package io.gpdb.exec.emulated.common;

import org.jspecify.annotations.NullMarked;
