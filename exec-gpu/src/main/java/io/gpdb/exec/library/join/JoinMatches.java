package io.gpdb.exec.library.join;

import io.gpdb.exec.ir.Kernel.Element;
import io.gpdb.exec.library.base.DenseColumn;
import io.gpdb.exec.library.base.Scratch;
import io.gpdb.exec.library.move.GridPick.Picks;
import io.gpdb.exec.library.move.GridPick.Regions;
import io.gpdb.storage.memory.BufferAllocator;
import io.gpdb.storage.memory.DeviceBuffer;
import io.gpdb.storage.memory.HostBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The probe rows of a {@link JoinWindow} that make a pair, in the order of batches and rows. Where
 * the build side is unique ({@link JoinBuild#isUnique}) each makes one, and likewise in semi- and
 * antijoins; else {@link #pairs} says which. Close it after use. Used by one thread at a time.
 */
public final class JoinMatches implements AutoCloseable {
  private final JoinBuild build;
  private final int count;
  private final List<Part> parts;
  private final Scratch scratch;

  /**
   * The rows of one batch.
   *
   * @param first how many rows of batches before pass
   * @param count how many of this one do
   * @param probeRows rows of the batch
   * @param matches build rows, or numbers of keys where the build side is not unique; -1 for none
   */
  record Part(int first, int count, Regions probeRows, @Nullable Regions matches) {}

  JoinMatches(JoinBuild build, int count, List<Part> parts, Scratch scratch) {
    this.build = build;
    this.count = count;
    this.parts = parts;
    this.scratch = scratch;
  }

  /** How many probe rows make a pair. */
  public int count() {
    return count;
  }

  /** Whether each of them makes one. */
  public boolean areSingle() {
    return build.isUnique() || !JoinProbe.writesMatches(build.plan.kind);
  }

  /** Columns that are picked together. */
  public Columns columns(BufferAllocator results) {
    return new Columns(results);
  }

  /** Columns of the rows that make a pair. Values are there when {@link #launch} returns. */
  public final class Columns {
    private final BufferAllocator results;
    private final Picks picks = build.plan.pick.start();
    private final List<Bits> bitmaps = new ArrayList<>();
    private final Scratch local = new Scratch();

    /** A bitmap that is made of bytes. */
    private record Bits(DeviceBuffer bytes, DeviceBuffer bitmap) {}

    private Columns(BufferAllocator results) {
      this.results = results;
    }

    /**
     * A column of the probe side.
     *
     * @param batches the column of each batch of the window
     */
    public DenseColumn probe(List<DenseColumn> batches) {
      boolean nullable = batches.stream().anyMatch(batch -> batch.validity() != null);
      Element element = batches.getFirst().element();
      DeviceBuffer values = results.allocate((long) count * element.bytes());
      DeviceBuffer bytes = nullable ? local.allocate(count) : HostBuffer.NONE;
      for (int i = 0; i < parts.size(); i++) {
        Part part = parts.get(i);
        add(part, part.probeRows, batches.get(i), values, nullable ? bytes : null);
      }
      return new DenseColumn(element, values, nullable ? bitmap(bytes) : null);
    }

    /**
     * A column of the build side, which is unique.
     *
     * @param outer whether rows without a match pass, too; their value is NULL
     */
    public DenseColumn build(DenseColumn source, boolean outer) {
      boolean nullable = outer || source.validity() != null;
      DeviceBuffer values = results.allocate((long) count * source.element().bytes());
      DeviceBuffer bytes = nullable ? local.allocate(count) : HostBuffer.NONE;
      for (Part part : parts) {
        Regions matches = part.matches;
        if (matches != null) {
          add(part, matches, source, values, nullable ? bytes : null);
        }
      }
      return new DenseColumn(source.element(), values, nullable ? bitmap(bytes) : null);
    }

    private void add(
        Part part,
        Regions regions,
        DenseColumn source,
        DeviceBuffer values,
        @Nullable DeviceBuffer bytes) {
      if (part.count == 0) {
        return;
      }
      int width = source.element().bytes();
      picks.values(
          source.element(),
          source.values(),
          regions,
          values.slice((long) part.first * width, (long) part.count * width));
      if (bytes != null) {
        picks.presence(source.validity(), regions, bytes.slice(part.first, part.count));
      }
    }

    private DeviceBuffer bitmap(DeviceBuffer bytes) {
      DeviceBuffer bitmap = results.allocate(DenseColumn.bitmapBytes(count));
      bitmaps.add(new Bits(bytes, bitmap));
      return bitmap;
    }

    public void launch() {
      try (local) {
        picks.launch();
        for (Bits bits : bitmaps) {
          build.plan.pack.bitmap(bits.bytes, count, bits.bitmap);
        }
      }
    }
  }

  /** The pairs of the rows, where one may make several. */
  public JoinPairs pairs() {
    DeviceBuffer numbers = scratch.ints(count);
    Picks picks = build.plan.pick.start();
    for (Part part : parts) {
      Regions matches = part.matches;
      if (matches == null) {
        throw new IllegalStateException("only inner and left joins have pairs");
      }
      if (part.count > 0) {
        picks.packed(matches, numbers.slice((long) part.first << 2, (long) part.count << 2));
      }
    }
    picks.launch();
    return new JoinPairs(
        build.plan.pairKernels, build.plan.prefix, build.rowsOfKeys(), count, numbers, scratch);
  }

  @Override
  public void close() {
    scratch.close();
  }
}
