package io.gpdb.txn.change;

import io.gpdb.storage.table.Tablet;
import java.lang.foreign.MemorySegment;

/**
 * Rows of one tablet that a delete makes not live; the latch is held exclusively.
 *
 * @param rows i32[n], distinct
 */
public record DeletedRows(Tablet tablet, MemorySegment rows, int n) {}
