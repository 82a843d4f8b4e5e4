package io.gpdb.txn.api;

import io.gpdb.storage.table.TableGarbage;

/**
 * What decides whether a table is compacted.
 *
 * @param writing whether a transaction that has written to it is active
 * @param idleNanos since the last such transaction ended
 */
public record TableUse(TableGarbage garbage, boolean writing, long idleNanos) {}
