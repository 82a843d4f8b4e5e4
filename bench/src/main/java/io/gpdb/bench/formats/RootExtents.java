package io.gpdb.bench.formats;

import io.gpdb.storage.column.ElementType;
import io.gpdb.storage.column.FieldReader;
import java.util.ArrayList;
import java.util.List;

/** Finds the sealed extents that a root directory names, and where it keeps their checksums. */
final class RootExtents {
  private static final int UNIT_BYTES = 4096;
  private static final int SEALED = 2;
  private static final int VERSION_WITHOUT_RANGES = 1;
  private static final int VERSION_WITHOUT_EVENTS = 2;
  private static final int VERSION_WITHOUT_RUNS = 3;

  private final FieldReader in;
  private final int bytes;
  private boolean hasEvents;
  private boolean hasRuns;
  private final List<Named> found = new ArrayList<>();

  /**
   * @param checksumAt in the root directory
   */
  record Named(String what, long offset, long bytes, int checksumAt) {}

  private RootExtents(byte[] root) {
    in = new FieldReader(root);
    bytes = root.length;
  }

  static List<Named> of(byte[] root) {
    RootExtents extents = new RootExtents(root);
    extents.read();
    return extents.found;
  }

  private void read() {
    in.readLong();
    int version = in.readInt();
    boolean hasRanges = version > VERSION_WITHOUT_RANGES;
    hasEvents = version > VERSION_WITHOUT_EVENTS;
    hasRuns = version > VERSION_WITHOUT_RUNS;
    skip(in.readStopBit());
    for (long n = in.readStopBit(); n > 0; n--) {
      table(hasRanges);
    }
  }

  private void skip(long count) {
    in.read(new byte[(int) count]);
  }

  private void table(boolean hasRanges) {
    in.readStopBit();
    List<ElementType> types = new ArrayList<>();
    for (long n = in.readStopBit(); n > 0; n--) {
      skip(in.readStopBit());
      types.add(ElementType.ofTag(in.readUnsignedByte()));
    }
    long indexes = in.readStopBit();
    for (long i = indexes; i > 0; i--) {
      in.readStopBit();
      in.readByte();
      for (long n = in.readStopBit(); n > 0; n--) {
        in.readStopBit();
      }
    }
    in.readStopBit();
    for (long n = in.readStopBit(); n > 0; n--) {
      tablet(types.size(), hasRanges);
    }
    for (ElementType type : types) {
      if (type == ElementType.CODE) {
        in.readStopBit();
        in.readStopBit();
        if (hasEvents) {
          in.readStopBit();
        }
        extents("dictionary entries");
        extents("dictionary bytes");
      }
    }
    for (long i = indexes; i > 0; i--) {
      for (long n = in.readStopBit(); n > 0; n--) {
        in.readStopBit();
        in.readStopBit();
        in.readStopBit();
        extent("index page");
      }
      extents("overflow entries");
      for (long n = hasRuns ? in.readStopBit() : 0; n > 0; n--) {
        in.readLong();
        in.readLong();
        in.readStopBit();
        in.readStopBit();
      }
    }
  }

  private void tablet(int columns, boolean hasRanges) {
    in.readStopBit();
    for (int c = 0; c < 2 * columns; c++) {
      extent(c < columns ? "values" : "validity");
    }
    extent("live bits");
    for (int c = 0; hasRanges && c < columns; c++) {
      if (in.readByte() != 0) {
        long rows = in.readStopBit();
        if (in.readStopBit() < rows) {
          in.readLong();
          in.readLong();
        }
      }
    }
  }

  private void extents(String what) {
    for (long n = in.readStopBit(); n > 0; n--) {
      extent(what);
    }
  }

  private void extent(String what) {
    int flags = in.readByte();
    if (flags == 0) {
      return;
    }
    long offset = in.readStopBit() * UNIT_BYTES;
    long length = in.readStopBit();
    int checksumAt = bytes - in.remaining();
    in.readInt();
    if ((flags & SEALED) != 0 && length > 0) {
      found.add(new Named(what, offset, length, checksumAt));
    }
  }
}
