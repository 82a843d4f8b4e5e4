package io.gpdb.txn.api;

/** Judges one row's values, raw bits by column. */
@FunctionalInterface
public interface RowTest {
  boolean matches(long[] values, boolean[] nulls);
}
