package io.gpdb.exec.cuda;

import io.gpdb.exec.cuda.RegisteredPages.Need;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The host memory that a launch reaches, and copies of it that the launch reads instead. */
final class HostNeeds {
  private final RegisteredPages registered;
  private final List<Need> pages = new ArrayList<>();
  private final List<ReadCopy> copies = new ArrayList<>();
  private boolean any;
  private boolean read;

  HostNeeds(RegisteredPages registered) {
    this.registered = registered;
  }

  void add(MemorySegment segment, boolean written) {
    any = true;
    read |= !written;
    if (!registered.isWhole(segment.scope())) {
      pages.add(new Need(segment, true, written));
    }
  }

  void add(ReadCopy copy) {
    copies.add(copy);
  }

  boolean any() {
    return any;
  }

  /** Whether the launch reads host memory that it does not write. */
  boolean isRead() {
    return read;
  }

  /** What may have to be registered first. */
  List<Need> pages() {
    return pages;
  }

  /** What is read until the launch has ended. */
  List<ReadCopy> copies() {
    return copies;
  }
}
