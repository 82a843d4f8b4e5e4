package io.gpdb.txn.api;

/**
 * What opening had to do.
 *
 * @param cleanShutdown whether the database had been closed in order
 * @param replayedTransactions transactions taken from the log
 * @param replayedBytes bytes of their records
 * @param undoneTransactions unfinished in-place transactions rolled back
 * @param undoneEntries old values put back
 * @param tornTail why reading the log ended, empty when it ended at unwritten space
 * @param nanos the time all of it took, index maintenance included
 */
public record RecoveryReport(
    boolean cleanShutdown,
    long replayedTransactions,
    long replayedBytes,
    long undoneTransactions,
    long undoneEntries,
    String tornTail,
    long nanos) {}
