package io.gpdb.txn;

/**
 * Figures about what is kept and given back.
 *
 * @param rewrites tables rewritten since the database was opened
 * @param rewriteBytes what the rewritten tables took more than the tables that replaced them
 */
public record SpaceStatistics(long rewrites, long rewriteBytes) {}
