package io.gpdb.exec.library.key;

import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.storage.memory.DeviceBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a tablet as a kernel reads them.
 *
 * @param live bitmap, bit set = row exists; null when all do
 */
public record BoundRows(LaneBindings bindings, int rows, @Nullable DeviceBuffer live) {}
