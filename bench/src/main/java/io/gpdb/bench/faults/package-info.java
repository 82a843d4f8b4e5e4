/**
 * Faults of the medium, injected into SQL workloads: full disks, failing writes and syncs, flipped
 * bits, damaged files.
 */
@org.jspecify.annotations.NullMarked
package io.gpdb.bench.faults;
