package io.gpdb.exec.library.join;

import io.gpdb.storage.memory.DeviceBuffer;

/**
 * What a probe of a {@link GridHashJoin} found, ordered by probe row, then build row.
 *
 * @param count how many pairs
 * @param probeRows i32 row of the probe side
 * @param buildRows i32 row of the build side; -1 where a LEFT or ANTI join found none. Of a SEMI
 *     join the first match
 */
public record JoinPairs(int count, DeviceBuffer probeRows, DeviceBuffer buildRows) {}
