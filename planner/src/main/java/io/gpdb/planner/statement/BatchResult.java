package io.gpdb.planner.statement;

import org.jspecify.annotations.Nullable;

/**
 * What a batch did: rows changed by each of its rows, and the keys that were asked for, of all of
 * them in order.
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record BatchResult(long[] counts, Result.@Nullable Keyed keys) {}
