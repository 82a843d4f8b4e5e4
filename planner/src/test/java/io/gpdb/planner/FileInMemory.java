package io.gpdb.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.gpdb.storage.memory.HostBuffer;
import io.gpdb.storage.memory.TemporaryFile;

/** A temporary file for tests, which is used as long as it is open. */
public final class FileInMemory implements TemporaryFile {
  private HostBuffer bytes = HostBuffer.collected(1 << 16);
  private boolean open = true;

  public boolean isOpen() {
    return open;
  }

  @Override
  public void write(long offset, HostBuffer source) {
    assertThat(open).isTrue();
    if (offset + source.bytes() > bytes.bytes()) {
      HostBuffer more = HostBuffer.collected(2 * (offset + source.bytes()));
      more.copyFrom(bytes, 0, 0, bytes.bytes());
      bytes = more;
    }
    bytes.copyFrom(source, 0, offset, source.bytes());
  }

  @Override
  public void read(long offset, HostBuffer target) {
    assertThat(open).isTrue();
    target.copyFrom(bytes, offset, 0, target.bytes());
  }

  @Override
  public void close() {
    open = false;
  }
}
