package io.gpdb.txn.api;

/**
 * Figures about kept and freed memory.
 *
 * @param rewrites tables rewritten since the database was opened
 * @param rewriteBytes what the rewritten tables took more than the tables that replaced them
 * @param versionBytes memory of undo versions kept for older snapshots
 * @param workBytes memory in use for undo versions, log sections and copies
 * @param workBytesMax its limit
 * @param newestSequence of the newest commit
 * @param oldestSequence of the newest commit that every snapshot in use sees
 * @param oldestNanos how long ago the oldest snapshot in use was taken
 */
public record SpaceStatistics(
    long rewrites,
    long rewriteBytes,
    long versionBytes,
    long workBytes,
    long workBytesMax,
    long newestSequence,
    long oldestSequence,
    long oldestNanos) {}
