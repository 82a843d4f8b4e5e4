package io.gpdb.exec.library.key;

import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.lane.LaneBindings;
import io.gpdb.storage.error.StopSignal;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import org.jspecify.annotations.Nullable;

/** Rows in parts by a hash of their keys: rows with equal keys are in one part. Thread-safe. */
public final class KeyParts {
  private static final long FACTOR = 0xd6e8feb86659fd93L;

  private final KeyStaging staging;
  private final int words;

  /**
   * @param words of a key
   */
  public KeyParts(KeyStaging staging, int words) {
    this.staging = staging;
    this.words = words;
  }

  /**
   * The part of each row; -1 of rows that take no part.
   *
   * @param count of parts
   * @param level of rows that are divided again: each divides by another hash
   */
  public int[] of(
      LaneBindings bindings, int rows, @Nullable DeviceBuffer live, int count, int level) {
    int[] parts = new int[rows];
    try (Scratch scratch = new Scratch()) {
      DeviceBuffer states = scratch.ints(rows);
      DeviceBuffer staged = scratch.longs((long) rows * words);
      staging.run(bindings, rows, live, staged, states);
      HostBuffer stateOf = states.onHost();
      HostBuffer wordsOf = staged.onHost();
      for (int row = 0; row < rows; row++) {
        StopSignal.poll(row);
        boolean out = stateOf.intAt(row) == GroupTable.NO_SLOT;
        parts[row] = out ? -1 : Math.floorMod(hash(wordsOf, row, level), count);
      }
    }
    return parts;
  }

  private int hash(HostBuffer staged, int row, int level) {
    long hash = (level + 1) * FACTOR;
    for (int w = 0; w < words; w++) {
      hash = (hash ^ staged.longAt((long) row * words + w)) * FACTOR;
      hash ^= hash >>> 32;
    }
    hash *= FACTOR;
    return (int) (hash >>> 32);
  }
}
