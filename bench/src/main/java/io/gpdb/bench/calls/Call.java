package io.gpdb.bench.calls;

/** A call that has begun and not ended. */
record Call(String name, Thread thread, long sinceNanos) {}
