package io.gpdb.bench.tpch;

/**
 * How often and how long queries run.
 *
 * @param rounds runs of a query after the first, at most
 * @param seconds after which a query is not run again
 * @param limitSeconds after which a process that has not answered or loaded is ended
 * @param heap of each process, as -Xmx takes it
 */
record TpchEffort(int rounds, int seconds, int limitSeconds, String heap) {}
