package io.gpdb.simulation.recorded;

import java.util.function.IntUnaryOperator;

/** Files whose writes take only a part of the bytes; all else is done as asked. */
public final class ShortWrites implements FileActs {
  private final IntUnaryOperator taken;

  /**
   * Files whose writes take a part.
   *
   * @param taken how many of its bytes a write takes: one to all of them; a broken medium takes
   *     none
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
