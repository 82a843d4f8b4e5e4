package io.gpdb.txn;

import io.gpdb.storage.Tablet;
import java.lang.foreign.MemorySegment;

/**
 * Rows of one tablet that a delete makes not live; the latch is held exclusively.
 *
 * @param rows i32[n], distinct
 */
record DeletedRows(Tablet tablet, MemorySegment rows, int n) {}
