package io.gpdb.simulation.recorded;

import java.util.function.IntUnaryOperator;

/** Files that do what they are asked to, but for the bytes that each write takes. */
public final class ShortWrites implements FileActs {
  private final IntUnaryOperator taken;

  /**
   * Files whose writes take a part.
   *
   * @param taken how many bytes of those that it is given a write takes: one to all of them; none
   *     is what a medium answers that does not work
   */
  public ShortWrites(IntUnaryOperator taken) {
    this.taken = taken;
  }

  @Override
  public int taken(FileId file, int bytes) {
    return Math.clamp(taken.applyAsInt(bytes), 0, bytes);
  }

  @Override
  public void created(FileId file) {}

  @Override
  public void mapped(FileId file) {}

  @Override
  public void wrote(FileId file, long offset, byte[] bytes) {}

  @Override
  public void truncated(FileId file, long sizeBytes) {}

  @Override
  public Sync syncing(FileId file) {
    return () -> {};
  }

  @Override
  public void renamed(FileId file, String from, String to) {}

  @Override
  public void deleted(FileId file, String name) {}

  @Override
  public Sync syncingNames() {
    return () -> {};
  }
}
